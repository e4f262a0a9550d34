import { cashMoves, type CashDirection, type CashMove, type CashState, isOpenCash } from '@tallyroom/contract/cash'
import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import {
  type Caps,
  MAX_AMOUNT,
  type OfferState,
  type Opened,
  openOffer,
  type Party,
  type Posting,
  postingsBetween,
  type Wallet,
} from './rules.ts'

/** The rules of members' requests for points. Pure, like rules.ts. */

export type CashTerms = { direction: CashDirection; amount: Points }

type AskState<W> = {
  member: Party
  head: Party
  main: W
  /** The member's escrow, for points out. */
  escrow: W | undefined
  /** The group takes requests. */
  isOn: boolean
  /** The member has a request that has not ended. */
  hasOpen: boolean
  /** A bank account is needed for points out, and the request names one of the member's own. */
  needsAccount: boolean
  hasAccount: boolean
  caps: Caps
}

/** Decides on a new request; the postings hold the points of a request out. */
export const askForPoints = <W extends Wallet>(
  { direction, amount }: CashTerms,
  at: AskState<W>,
): Posting<W>[] | ErrorName => {
  const { member, head, main, escrow, caps } = at
  if (amount <= 0n || amount > MAX_AMOUNT) return 'transfer.amount_invalid'
  if (!at.isOn) return 'cash.off'
  if (member.isFrozen || head.isFrozen) return 'transfer.frozen'
  if (member.inEventMode) return 'transfer.event_mode'
  if (caps.envelope !== undefined && amount > caps.envelope) return 'transfer.over_envelope_cap'
  if (at.hasOpen) return 'cash.one_at_a_time'
  if (direction === 'in') return []
  if (main.turnoverDue > 0n) return 'transfer.flow_limit_open'
  if (at.needsAccount && !at.hasAccount) return 'cash.account_missing'
  if (!escrow || main.balance < amount) return 'transfer.not_enough'
  return postingsBetween(main, escrow, amount)
}

export type CashStanding = {
  state: CashState
  takenBy: number | null
  /** Past its lease, and past its deadline, by the database's clock. */
  isLeaseOver: boolean
  isOverdue: boolean
}

type KeyStanding = Pick<CashStanding, 'state' | 'takenBy' | 'isLeaseOver'> & {
  direction: CashDirection
  takerIsKey: boolean
  /** Stored when an earlier lease of a key ended. */
  maybePaidBy: number | null
}

/**
 * The key that may have paid points out at the bank: its lease ended without a word. Points in move by the call alone.
 */
export const maybePaidBy = ({
  direction,
  state,
  takenBy,
  isLeaseOver,
  takerIsKey,
  maybePaidBy: earlier,
}: KeyStanding): number | null => {
  if (earlier !== null) return earlier
  return direction === 'out' && state === 'taken' && isLeaseOver && takerIsKey ? takenBy : null
}

/** Why a move of a request that may be paid is refused: a person has to look first, and nobody takes the points back. */
export const refusalOfMaybePaid = (
  move: Exclude<CashMove, 'lapse' | 'expire'>,
  { isByKey, hasLooked }: { isByKey: boolean; hasLooked: boolean },
): ErrorName | undefined => {
  if (move === 'withdraw') return 'cash.taken'
  if (move === 'take') return isByKey ? 'cash.maybe_paid' : undefined
  return (move === 'pay' || move === 'refuse') && !hasLooked ? 'cash.maybe_paid' : undefined
}

/** The state after a transition, or why it is refused. `actorId` is undefined for the server. */
export const nextState = (
  move: CashMove,
  { state, takenBy, isLeaseOver, isOverdue }: CashStanding,
  actorId: number | undefined,
): CashState | ErrorName => {
  const { from, to, by } = cashMoves[move]
  if (!isOpenCash(state)) return 'cash.ended'
  const isLeased = state === 'taken' && !isLeaseOver
  const isOwn = takenBy !== null && takenBy === actorId
  if (by === 'server') {
    const isDue = move === 'lapse' ? state === 'taken' && isLeaseOver : !isLeased && isOverdue
    return isDue ? to : 'cash.not_found'
  }
  if (by === 'taker') {
    if (isLeased && isOwn) return to
    if (isLeased) return 'cash.taken'
    return isOwn ? 'cash.lease_over' : 'cash.not_taken'
  }
  // Taking one's own again renews its lease.
  if (isLeased) return move === 'take' && isOwn ? to : 'cash.taken'
  return isOverdue ? 'cash.ended' : from === 'asked' ? to : 'cash.not_taken'
}

type PayState<W> = Omit<OfferState<W>, 'targetId' | 'isWrongRoom' | 'isAsked' | 'mayMove' | 'target' | 'wallets'> & {
  target: Party
  wallets: NonNullable<OfferState<W>['wallets']>
  /** Where the points of a request out are held. */
  escrow: W | undefined
}
export type PayTerms = CashTerms & {
  auditAmount: Points | undefined
  hasRemark: boolean
  overridesTurnover: boolean
}

/** The member has asked for it, so its consent is not asked again. */
const consenting = (party: Party): Party => ({ ...party, asksConsent: false })

/** Decides on the transfer of a request: the rules of an offer in the room, without waiting for consent. */
export const payCashRequest = <W extends Wallet>(pay: PayTerms, at: PayState<W>): Opened<W> | ErrorName => {
  const { direction, amount, auditAmount, hasRemark } = pay
  const { target, wallets, escrow, ...rest } = at
  const offer = {
    ...rest,
    funder: consenting(at.funder),
    target: consenting(target),
    targetId: target.id,
    isWrongRoom: false,
    isAsked: false,
    mayMove: false,
  }
  const terms = { wallet: WalletKind.main, amount, inRoom: true, auditAmount, hasRemark }
  if (direction === 'in')
    return openOffer({ ...terms, transferKind: TransferKind.send, overridesTurnover: false }, { ...offer, wallets })
  if (!escrow) return 'transfer.member_not_enough'
  const opened = openOffer(
    { ...terms, transferKind: TransferKind.receive, overridesTurnover: false },
    // The points leave from where they are held.
    { ...offer, wallets: { funder: wallets.funder, target: { main: escrow, game: undefined } } },
  )
  if (typeof opened === 'string') return opened
  const isDue = wallets.target.main.turnoverDue > 0n
  const overridesTurnover = isDue && pay.overridesTurnover && at.actor.setsTurnover
  return isDue && !overridesTurnover ? 'transfer.flow_limit_open' : { ...opened, overridesTurnover }
}
