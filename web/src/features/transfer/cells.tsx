import { TransferStatus } from '@tallyroom/contract/codes'
import type { View } from '@tallyroom/contract/transfer-kinds'
import { showMoment } from '../../i18n/time.ts'
import { Amount } from '../../ui/amount.tsx'

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
