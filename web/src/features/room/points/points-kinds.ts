import { isTaking, type OfficeKind, officeKinds, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { formatPoints, type Points } from '@tallyroom/contract/points'
import type { WordKey } from '@tallyroom/locales'
import { pointsOf } from '../../../ui/points-of.ts'

/** The kinds that the dialog offers. The server checks everything again; this only avoids refusals. */
export type Kind = OfficeKind
export type Wallet = 1 | 2
type Flags = Pick<
  Answer<'user/view'>,
  | 'role_id'
  | 'red_envelope_button_visible'
  | 'send_red_envelope_button_visible'
  | 'receive_red_envelope_button_visible'
  | 'gift_red_envelope_button_visible'
  | 'point_button_visible'
  | 'deduct_point_button_visible'
  | 'flow_limit_modify_permission'
  | 'transfer_member_flow_limit_multiple'
>
type Member = Pick<Answer<'member/view'>, 'is_multiple_wallet' | 'transaction_all'>

export const kindWords: Record<Kind, WordKey> = {
  [TransferKind.send]: 'room.points_send',
  [TransferKind.receive]: 'room.points_receive',
  [TransferKind.gift]: 'points.kind_gift',
  [TransferKind.makeUp]: 'points.kind_make_up',
  [TransferKind.gameSend]: 'points.kind_game_in',
  [TransferKind.gameDeduct]: 'points.kind_game_out',
}

/** ENV-01 */
export const kindsFor = (own: Flags, member: Member): Kind[] => {
  if (own.red_envelope_button_visible !== 1) return []
  const points = own.point_button_visible === 1
  const game = points && member.is_multiple_wallet === 1
  const may: Record<Kind, boolean> = {
    [TransferKind.send]: own.send_red_envelope_button_visible === 1,
    [TransferKind.receive]: own.receive_red_envelope_button_visible === 1,
    [TransferKind.gift]: own.gift_red_envelope_button_visible === 1,
    // Make-up is not offered in an agent's room.
    [TransferKind.makeUp]: points && own.role_id !== Role.agent,
    [TransferKind.gameSend]: game,
    [TransferKind.gameDeduct]: game && own.deduct_point_button_visible === 1,
  }
  return officeKinds.filter((kind) => may[kind])
}

/** Kinds that take points from the member. */
export const takes = (kind: Kind) => isTaking(kind)

/** ENV-04; and a member without a game wallet has nothing to choose from. */
export const choosesWallet = (kind: Kind, member: Member) =>
  member.transaction_all === 1 && member.is_multiple_wallet === 1 && transferKinds[kind].targetWallet === 'chosen'

/** The member's wallet that a kind changes. */
export const walletOf = (kind: Kind, chosen: Wallet, member: Member): Wallet => {
  if (transferKinds[kind].targetWallet === 'game') return 2
  return choosesWallet(kind, member) ? chosen : 1
}

/** ENV-03: turnover is hidden when points are taken, and with several wallets. */
export const asksTurnover = (kind: Kind, member: Member) => !takes(kind) && member.is_multiple_wallet !== 1

/** ENV-03: the server calculates a send's turnover, unless the user may set it. */
export const locksTurnover = (kind: Kind, own: Flags) =>
  kind === TransferKind.send && own.flow_limit_modify_permission !== 1

/** ENV-03: the default turnover. Calculated in bigint, exact to four decimals. */
export const defaultTurnover = (kind: Kind, points: Points, own: Flags): string =>
  points > 0n
    ? shortest(kind === TransferKind.send ? points * BigInt(own.transfer_member_flow_limit_multiple) : points)
    : ''

/** As a user would type it: 250 and not 250.0000. */
const shortest = (points: Points) => formatPoints(points).replace(/\.?0+$/, '')

/** The turnover to send; undefined when the typed text is not an amount. */
export const turnoverToSend = (typed: string, kind: Kind, points: Points, own: Flags): string | undefined => {
  if (/^0*\.?0*$/.test(typed)) return atLeast('0', kind, points, own)
  const clean = typed.startsWith('-') ? undefined : typed.replace(/^\./, '0.').replace(/\.$/, '')
  return clean === undefined ? undefined : atLeast(clean, kind, points, own)
}

/** Without the right, a gift's turnover cannot be lower than the gift. */
const atLeast = (turnover: string, kind: Kind, points: Points, own: Flags) =>
  kind !== TransferKind.send && own.flow_limit_modify_permission !== 1 && pointsOf(turnover) < points
    ? shortest(points)
    : turnover
