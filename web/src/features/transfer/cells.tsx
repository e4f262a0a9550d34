import { TransferStatus } from '@tallyroom/contract/codes'
import { showMoment } from '../../i18n/time.ts'
import { Amount } from '../../ui/amount.tsx'

export const Moment = ({ at }: { at: string }) => <span className="points">{showMoment(at)}</span>

export const Long = ({ text }: { text: string }) => (
  <span className="long" title={text}>
    {text}
  </span>
)

type MovedProps = { amount: string; status: number; way: 'in' | 'out' | undefined; exact?: boolean }

/** A transfer's amount says its way by sign and colour only when it has moved. */
export const Moved = ({ amount, status, way, exact = false }: MovedProps) => (
  <Amount value={amount} exact={exact} {...(status === TransferStatus.success && way ? { way } : {})} />
)

export const Who = ({ nickname, username }: { nickname: string; username: string }) => (
  <span className="long" title={`${nickname} (${username})`}>
    <bdi>{nickname || username}</bdi> {nickname && <bdi className="person-username">({username})</bdi>}
  </span>
)
