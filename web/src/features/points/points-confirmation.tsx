import { TransferKind } from '@tallyroom/contract/codes'
import { views } from '@tallyroom/contract/transfer-kinds'
import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import { Amount, exactText } from '../../ui/amount.tsx'
import { nameOf, shortName } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { showMoment } from '../../i18n/time.ts'
import { serverNow } from '../../lib/clock.ts'
import type { Translate } from '../../i18n/i18n.ts'
import type { Confirmation } from '../../domain/transfer-steps/step-parts.tsx'
import type { WalletDifference } from '../../domain/transfer-steps/wallets.tsx'
import {
  actWord,
  balanceIn,
  isUnlimited,
  type Kind,
  kindWords,
  type MemberView,
  takes,
  waits,
  type Wallet,
  walletWord,
} from './points-kinds.ts'

type Own = Answer<'user/view'>
type Movement = { t: Translate; own: Own; member: MemberView; kind: Kind; points: Points; wallet: Wallet }

/** When an offer that is made now ends unanswered: MM-DD HH:mm. */
export const answerBy = ({ answer_hours }: MemberView) =>
  showMoment(serverNow() + answer_hours * 3_600_000).slice(5, 16)

/** Both wallets before and after, the one that the points leave first. */
export const walletsOf = ({ t, own, member, kind, points, wallet }: Movement): readonly WalletDifference[] => {
  const { payer } = member
  const difference = takes(kind) ? -points : points
  const funds = pointsOf(payer.available)
  const has = balanceIn(member, wallet)
  const several = member.is_multiple_wallet === 1
  const paying = {
    owner: owner(t(payer.id === own.id ? 'points.own_wallet' : 'points.group_wallet'), payer.name),
    before: funds,
    after: funds - difference,
    unlimited: payer.unlimited,
  }
  const theirs = {
    owner: owner(nameOf(member), several ? t(walletWord(wallet)) : undefined),
    before: has,
    after: has + difference,
    unlimited: isUnlimited(member, wallet),
  }
  return takes(kind) ? [theirs, paying] : [paying, theirs]
}

const owner = (name: string, note: string | undefined) => (
  <>
    <bdi>{name}</bdi> {note && <span className="quiet">({note})</span>}
  </>
)

/** The confirmation step: verb, amount and names, both wallets, and what else is sent. */
export const confirmationOf = (
  movement: Movement & { audit: string | undefined; remark: string; overrides: boolean },
): Confirmation => {
  const { t, member, kind, points, audit, remark, overrides } = movement
  const taken = takes(kind)
  const name = nameOf(member)
  const line = (shown: boolean, label: string, value: Confirmation['amount']) => (shown ? [{ label, value }] : [])
  return {
    act: t(actWord(kind, member), { amount: exactText(points), name: shortName(name) }),
    who: `${t((taken ? views.from : views.to).word)} · ${member.nickname ? `${name} (${member.username})` : name}`,
    amount: <Amount exact value={points} way={taken ? 'out' : 'in'} />,
    wallets: walletsOf(movement),
    lines: [
      { label: t('room.points_kind'), value: t(kindWords[kind]) },
      ...line(audit !== undefined, t('room.turnover'), <Amount exact value={audit ?? '0'} />),
      ...line(kind === TransferKind.receive && overrides, t('room.flow_limit'), t('room.flow_override')),
      { label: t('transfer.remark'), value: remark || <span className="quiet">{t('points.none')}</span> },
      ...line(waits(kind, member), t('points.answer_by', { name: shortName(name) }), answerBy(member)),
    ],
  }
}
