import { TransferKind } from '@tallyroom/contract/codes'
import type { OfferRefusal } from '@tallyroom/contract/offer-refusals'
import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import type { WordKey } from '@tallyroom/locales'
import type { ReactNode } from 'react'
import { exactText } from '../../ui/amount.tsx'
import { Icon } from '../../ui/icon.tsx'
import { nameOf, shortName } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { answerBy } from './points-confirmation.tsx'
import { type Kind, kindWords, type MemberView, type Offer, stopOf, takes, waits } from './points-kinds.ts'

type Props = {
  own: Answer<'user/view'>
  member: MemberView
  kind: Kind
  overrides: boolean
  onOverride: (overrides: boolean) => void
}

const reasons: Record<OfferRefusal, WordKey> = {
  'transfer.frozen': 'points.stop_frozen',
  'transfer.event_mode': 'transfer.event_mode',
  'transfer.flow_limit_open': 'points.stop_turnover',
  'transfer.one_open_at_a_time': 'transfer.one_open_at_a_time',
  'transfer.member_not_enough': 'points.stop_empty',
  'transfer.not_enough': 'points.stop_empty',
  'transfer.over_credit': 'points.stop_empty',
  'transfer.over_day_cap': 'points.stop_day_cap',
  'transfer.over_envelope_cap': 'points.stop_empty',
  'transfer.amount_invalid': 'points.stop_empty',
}

/** What would refuse the chosen kind, before an amount is typed, and what is possible instead. */
export const StopNotice = ({ own, member, kind, overrides, onOverride }: Props) => {
  const { t } = useWords()
  const offer = member.offers.find(({ type }) => type === kind)
  if (!offer?.refused) return null
  const stop = stopOf(offer, own, overrides)
  const mayOverride = offer.refused === 'transfer.flow_limit_open' && own.flow_limit_modify_permission === 1
  return (
    <div className={`notice ${stop ? 'notice-refused' : 'notice-warn'}`} role="status">
      <Icon name="alert" size={16} />
      <span>
        {stop && (
          <b>{t(takes(kind) ? 'points.cannot_take' : 'points.cannot_give', { name: shortName(nameOf(member)) })}</b>
        )}
        <span>
          <Reason offer={offer} member={member} /> {stop && <Possible own={own} member={member} />}
        </span>
        {mayOverride && (
          <label className="switch-line">
            <input type="checkbox" checked={overrides} onChange={(event) => onOverride(event.target.checked)} />
            {t('room.flow_override')}
          </label>
        )}
      </span>
    </div>
  )
}

const Reason = ({ offer, member }: { offer: Offer; member: MemberView }): ReactNode => {
  const { t } = useWords()
  const { refused } = offer
  if (!refused) return null
  const due = member.turnover_due
  if (refused === 'transfer.flow_limit_open' && due !== null)
    return <span>{t('points.stop_turnover_left', { amount: exactText(pointsOf(due)) })}</span>
  const name = takes(offer.type) ? nameOf(member) : member.payer.name
  return <span>{t(reasons[refused], { name })}</span>
}

/** The kinds that nothing stops. */
const Possible = ({ own, member }: Pick<Props, 'own' | 'member'>) => {
  const { t } = useWords()
  const open = member.offers.filter((offer) => !stopOf(offer, own, false))
  if (open.length === 0) return null
  return <span>{t('points.possible', { kinds: open.map(({ type }) => t(kindWords[type])).join(', ') })}</span>
}

/** The points will not move at once. */
export const ConsentNotice = ({ member, kind }: Pick<Props, 'member' | 'kind'>) => {
  const { t } = useWords()
  if (!waits(kind, member)) return null
  const values = { name: shortName(nameOf(member)), time: answerBy(member) }
  return (
    <p className="notice">
      <Icon name="clock" size={16} />
      <span>{t(kind === TransferKind.receive ? 'points.consent_take' : 'points.consent_give', values)}</span>
    </p>
  )
}

/** Above a limit of the user somebody else decides, and reads the reason. */
export const ApprovalNotice = ({ offer, points, children }: ApprovalProps) => {
  const { t } = useWords()
  if (!needsApproval(offer, points)) return null
  return (
    <>
      <p className="notice notice-warn" role="status">
        <Icon name="hourglass" size={16} />
        <span>{t('approval.needed', { amount: exactText(pointsOf(offer?.limit?.left ?? '0')) })}</span>
      </p>
      {children}
    </>
  )
}
type ApprovalProps = { offer: Offer | undefined; points: Points; children?: ReactNode }
/** What the last button says above a limit: who is asked. */
export const askWords = (t: Translate, offer: Offer | undefined, points: Points): string => {
  const [name, amount] = [offer?.limit?.approver, exactText(points)]
  return name ? t('approval.ask_name', { name, amount }) : t('approval.ask', { amount })
}
export const needsApproval = (offer: Offer | undefined, points: Points): boolean =>
  offer?.limit !== undefined && points > pointsOf(offer.limit.left)
