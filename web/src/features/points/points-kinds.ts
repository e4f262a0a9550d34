import { isTaking, mayWait, type OfficeKind, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { formatPoints, type Points, showPoints } from '@tallyroom/contract/points'
import { readAmount, shortAmount } from '@tallyroom/contract/text/typed-amount'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../i18n/i18n.ts'
import { problemText } from '../../ui/form/amount-problem.ts'
import { pointsOf } from '../../ui/points-of.ts'

export type Kind = OfficeKind
export type Wallet = 1 | 2
export type MemberView = Answer<'member/view'>
export type Offer = MemberView['offers'][number]
type Own = Pick<Answer<'user/view'>, 'flow_limit_modify_permission' | 'transfer_member_flow_limit_multiple'>
type Member = Pick<MemberView, 'is_multiple_wallet' | 'transaction_all'>

export const kindWords: Record<Kind, WordKey> = {
  [TransferKind.send]: 'room.points_send',
  [TransferKind.receive]: 'room.points_receive',
  [TransferKind.gift]: 'points.kind_gift',
  [TransferKind.makeUp]: 'points.kind_make_up',
  [TransferKind.gameSend]: 'points.kind_game_in',
  [TransferKind.gameDeduct]: 'points.kind_game_out',
}

/** Kinds that take points from the member. */
export const takes = (kind: Kind) => isTaking(kind)

/** The member is asked first. */
export const waits = (kind: Kind, member: Pick<MemberView, 'consent_needed'>) =>
  member.consent_needed === 1 && mayWait(kind)

/** The text of the button: verb, amount and name. */
export const actWord = (kind: Kind, member: Pick<MemberView, 'consent_needed'>) => {
  if (!takes(kind)) return 'points.do_give'
  return waits(kind, member) ? 'points.do_ask' : 'points.do_take'
}

/** ENV-04; and a member without a game wallet has nothing to choose from. */
export const choosesWallet = (kind: Kind, member: Member) =>
  member.transaction_all === 1 && member.is_multiple_wallet === 1 && transferKinds[kind].targetWallet === 'chosen'

/** The member's wallet that a kind changes. */
export const walletOf = (kind: Kind, chosen: Wallet, member: Member): Wallet => {
  if (transferKinds[kind].targetWallet === 'game') return 2
  return choosesWallet(kind, member) ? chosen : 1
}

/** TRF-03: points that a kind moves into the game wallet stay there, if no other kind takes them out of it. */
export const staysInGame = (wallet: Wallet, kinds: readonly Kind[]) =>
  wallet === WalletKind.game && !kinds.includes(TransferKind.gameDeduct)

/** TRF-02: a minus before the amount chooses the kind that takes from the same wallet; without one it stays. */
export const withoutMinus = (typed: string, kind: Kind, kinds: readonly Kind[]): { kind: Kind; amount: string } => {
  const taking = transferKinds[kind].targetWallet === 'game' ? TransferKind.gameDeduct : TransferKind.receive
  const isMinus = readAmount(typed).problem === 'no_minus' && kinds.includes(taking)
  return isMinus ? { kind: taking, amount: typed.replace(/\p{Pd}|−/u, '') } : { kind, amount: typed }
}

export const walletWord = (wallet: Wallet) => (wallet === WalletKind.main ? 'wallet.main' : 'wallet.game')
export const isUnlimited = (member: MemberView, wallet: Wallet) => member.unlimited && wallet === WalletKind.main
/** What the account can spend of a balance: its credit included, as its list shows it. */
export const spendable = (balance: string, member: MemberView, wallet: Wallet): Points =>
  pointsOf(balance) + (wallet === WalletKind.main && !member.unlimited ? pointsOf(member.limit_of_credit) : 0n)
export const balanceIn = (member: MemberView, wallet: Wallet): Points =>
  spendable(wallet === WalletKind.main ? member.balance : member.game_wallet, member, wallet)

/** What stops any amount of this kind; turnover that is due does not stop those who may override it and do. */
export const stopOf = (offer: Offer | undefined, own: Own, overrides: boolean) => {
  const isOverridden =
    offer?.refused === 'transfer.flow_limit_open' && overrides && own.flow_limit_modify_permission === 1
  return isOverridden ? undefined : (offer?.refused ?? undefined)
}

/** The most that can be moved now, if the amount is more. */
export const exceeded = (offer: Offer | undefined, points: Points): Points | undefined => {
  const most = offer?.refused === null && offer.most !== null ? pointsOf(offer.most) : undefined
  return most !== undefined && points > most ? most : undefined
}

/** ENV-03: turnover is hidden when points are taken, and with several wallets. */
export const asksTurnover = (kind: Kind, member: Member) => !takes(kind) && member.is_multiple_wallet !== 1

/** ENV-03: the server calculates a send's turnover, unless the user may set it. */
export const locksTurnover = (kind: Kind, own: Own) =>
  kind === TransferKind.send && own.flow_limit_modify_permission !== 1

/** ENV-03: the default turnover. Calculated in bigint, exact to four decimals. */
export const defaultTurnover = (kind: Kind, points: Points, own: Own): string =>
  points > 0n
    ? shortest(kind === TransferKind.send ? points * BigInt(own.transfer_member_flow_limit_multiple) : points)
    : ''

/** As a user would type it: 250 and not 250.0000. */
export const shortest = (points: Points) => shortAmount(formatPoints(points))

/** The turnover that a field asks for, 0 while it is empty; undefined when its text is no amount. */
const turnoverIn = (typed: string): string | undefined => {
  const reading = readAmount(typed)
  if (reading.problem !== undefined) return undefined
  return reading.text === '' ? '0' : reading.amount
}

/** The turnover to send; undefined when the typed text is no amount, or too low a one. */
export const turnoverToSend = (typed: string, kind: Kind, points: Points, own: Own): string | undefined => {
  const turnover = turnoverIn(typed)
  return turnover === undefined || isTooLow(turnover, kind, points, own) ? undefined : turnover
}

/** Without the right, a gift's turnover cannot be lower than the gift. */
const isTooLow = (turnover: string, kind: Kind, points: Points, own: Own) =>
  kind !== TransferKind.send && own.flow_limit_modify_permission !== 1 && pointsOf(turnover) < points

/** Why a turnover cannot be sent. */
export const turnoverError = (t: Translate, typed: string, points: Points): string => {
  if (turnoverIn(typed) !== undefined) return t('points.turnover_low', { amount: showPoints(points) })
  return problemText(t, readAmount(typed)) || t('amount.not_one')
}
