import type { CashState } from '@tallyroom/contract/cash'
import { TransferStatus } from '@tallyroom/contract/codes'
import type { View } from '@tallyroom/contract/transfer-kinds'
import { useWords } from '../i18n/i18n.ts'
import { showMoment } from '../i18n/time.ts'
import { copyText } from '../lib/clipboard.ts'
import { Amount } from '../ui/amount.tsx'
import { AccountLink } from './account-link.tsx'
import { CashStatus, cashStatusWords } from './cash-status.tsx'
import { notify } from '../ui/overlay/message.tsx'
import { Chip, EnvelopeStatus, envelopeStatusWords, Status, statusWords } from './status.tsx'

export const Moment = ({ at }: { at: string }) => <span className="points">{showMoment(at)}</span>

export const LongText = ({ text }: { text: string }) => (
  <span className="long" title={text}>
    {text}
  </span>
)

type MovedProps = { amount: string; status: number; view: View | undefined; exact?: boolean }

/** A transfer's amount; sign and colour show its direction once the points have moved. */
export const MovedAmount = ({ amount, status, view, exact = false }: MovedProps) => (
  <Amount value={amount} exact={exact} {...(status === TransferStatus.success && view ? { way: view.tone } : {})} />
)

type NameProps = { nickname: string; username: string }

/** Nickname and username in a line. */
export const AccountName = ({ nickname, username }: NameProps) => (
  <span className="long" title={`${nickname} (${username})`}>
    <bdi>{nickname || username}</bdi> {nickname && <bdi className="person-username">({username})</bdi>}
  </span>
)

/** The same, leading to the page of the account; a masked name by its id. */
export const LeadingName = ({ id, ...name }: NameProps & { id?: number | undefined }) => (
  <AccountLink who={{ id, username: name.username }}>
    <AccountName {...name} />
  </AccountLink>
)

/** The end of an id, which differs from row to row: its beginning is the time. A press copies it whole. */
export const TransactionId = ({ id }: { id: string }) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="id-copy points"
      title={t('history.copy_id', { id })}
      onClick={() => void copyText(id).then((isCopied) => isCopied && notify.done(t('history.id_copied')))}
    >
      …{id.slice(-6)}
    </button>
  )
}

type RowStatusProps = {
  row: {
    status: 0 | 1 | 2 | 3 | 4
    corrected: boolean
    approval?: 0 | 1 | undefined
    request?: CashState | undefined
  }
  /** In the record of red envelopes. */
  envelope?: boolean
}

/** Status of a transfer in a list: until its points have moved that of the member's request, or of its approval. */
export const RowStatus = ({ row, envelope = false }: RowStatusProps) => {
  const { status, corrected, approval, request: cashState } = row
  if (cashState && status !== TransferStatus.success)
    return <CashStatus state={cashState} corrected={corrected} approval={approval} />
  if (approval) return <Chip tone="waiting" icon="hourglass" word="approval.waits" />
  const Shown = envelope ? EnvelopeStatus : Status
  return <Shown value={status} corrected={corrected} />
}

/** What `RowStatus` can say, for a column that must be wide enough for each. */
export const rowStatusWords = [...statusWords, ...cashStatusWords]
export const envelopeRowStatusWords = [...envelopeStatusWords, ...cashStatusWords]
