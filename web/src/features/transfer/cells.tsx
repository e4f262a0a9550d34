import { TransferStatus } from '@tallyroom/contract/codes'
import type { View } from '@tallyroom/contract/transfer-kinds'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { copyText } from '../../lib/clipboard.ts'
import { Amount } from '../../ui/amount.tsx'
import { notify } from '../../ui/overlay/message.tsx'

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

export const AccountName = ({ nickname, username }: { nickname: string; username: string }) => (
  <span className="long" title={`${nickname} (${username})`}>
    <bdi>{nickname || username}</bdi> {nickname && <bdi className="person-username">({username})</bdi>}
  </span>
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
