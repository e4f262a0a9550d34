import { isTaking, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import {
  canPay,
  canReceive,
  postingsBetween,
  MAX_AMOUNT,
  type Party,
  type Posting,
  sees,
  type Wallet,
} from './rules.ts'

/** Transfers outside the office: to the own game wallet, bets and wins, corrections. Pure, like rules.ts. */

/** `auditAmount`: the turnover that it opens (into the game wallet), fills (a bet), opens again (a void) or lifts (a correction). */
export type GameMove<W> = { auditAmount: Points; postings: Posting<W>[] }

/** A member moves points into its game wallet, where they must be turned over once. */
export const toGame = <W extends Wallet>(
  amount: Points,
  { member, main, game }: { member: Party; main: W; game: W | undefined },
): GameMove<W> | ErrorName => {
  if (amount <= 0n) return 'transfer.amount_invalid'
  if (!member.hasGame || !game) return 'access.denied'
  if (member.isFrozen) return 'transfer.frozen'
  if (main.balance < amount) return 'transfer.not_enough'
  if (!canReceive(game, amount) || main.turnoverDue + amount > MAX_AMOUNT) return 'transfer.amount_invalid'
  return { auditAmount: amount, postings: postingsBetween(main, game, amount) }
}

/** `counts`: how much of the bet counts as turnover. */
export type BetTerms = {
  transferKind: typeof TransferKind.bet | typeof TransferKind.win
  amount: Points
  counts: Points
}

/**
 * A bet goes from the wallet that the member plays from to the game account, and fills the remaining turnover, oldest
 * first; any surplus is lost. A win goes back, also to a member that is frozen by now: it was won before.
 */
export const playBet = <W extends Wallet>(
  ask: BetTerms,
  at: { member: Party; playWallet: W; main: W; gameWallet: W },
): GameMove<W> | ErrorName => {
  const { amount, counts } = ask
  if (amount <= 0n || counts < 0n || counts > amount) return 'transfer.amount_invalid'
  const [from, to] =
    ask.transferKind === TransferKind.bet ? [at.playWallet, at.gameWallet] : [at.gameWallet, at.playWallet]
  if (ask.transferKind === TransferKind.bet && at.member.isFrozen) return 'transfer.frozen'
  if (!canPay(from, amount))
    return ask.transferKind === TransferKind.bet ? 'transfer.member_not_enough' : 'transfer.amount_invalid'
  if (!canReceive(to, amount)) return 'transfer.amount_invalid'
  const filled = ask.transferKind === TransferKind.bet ? least(counts, at.main.turnoverDue) : 0n
  return { auditAmount: filled, postings: postingsBetween(from, to, amount) }
}

/**
 * The points of a bet go back to the wallet that they came from, also to a member that is frozen by now. The turnover that
 * it filled is due again, unless its limit was lifted: no more can be due than all open limits asked for.
 */
export const voidBet = <W extends Wallet>(
  bet: { amount: Points; filled: Points },
  at: { playWallet: W; main: W; gameWallet: W; openTurnover: Points },
): GameMove<W> | ErrorName => {
  if (!canReceive(at.playWallet, bet.amount)) return 'transfer.amount_invalid'
  const mayBeDue = at.openTurnover - at.main.turnoverDue
  const reopened = mayBeDue > 0n ? least(bet.filled, mayBeDue) : 0n
  return { auditAmount: reopened, postings: postingsBetween(at.gameWallet, at.playWallet, bet.amount) }
}

/** The state of an earlier transfer. `newerLimits`: the turnover of all limits opened after its own. */
export type Earlier = {
  transferKind: TransferKind
  amount: Points
  auditAmount: Points
  status: TransferStatus
  isCorrected: boolean
  newerLimits: Points
}

/**
 * An admin corrects a transfer of the downline, also for frozen accounts; a key of the member API one that was paid from
 * its own wallet, `payerId`. The rest of the turnover that it opened is
 * lifted: limits are filled oldest first, so the remaining turnover belongs to the newest ones.
 */
export const correct = <W extends Wallet>(
  earlier: Earlier,
  at: {
    actor: Party
    payerId: number
    funder: Party
    target: Party
    funderMain: W
    targetMain: W
    targetWallet: W | undefined
  },
): GameMove<W> | ErrorName => {
  const { actor, payerId, funder, target, targetWallet, targetMain, funderMain } = at
  const { amount } = earlier
  if (!targetWallet || !(funder.id === payerId || sees(actor, funder)) || !sees(actor, target))
    return 'transfer.not_found'
  if (actor.isFrozen) return 'transfer.frozen'
  // The platform itself corrects bets and wins.
  if (!transferKinds[earlier.transferKind].isCorrectable) return 'transfer.not_correctable'
  if (earlier.isCorrected) return 'transfer.already_corrected'
  if (earlier.status !== TransferStatus.success) return 'transfer.not_correctable'
  if (isTaking(earlier.transferKind)) {
    if (!canPay(funderMain, amount)) return funderMain.floor === 0n ? 'transfer.not_enough' : 'transfer.over_credit'
    if (!canReceive(targetWallet, amount)) return 'transfer.amount_invalid'
    return { auditAmount: 0n, postings: postingsBetween(funderMain, targetWallet, amount) }
  }
  if (targetWallet.balance < amount) return 'transfer.member_not_enough'
  if (!canReceive(funderMain, amount)) return 'transfer.amount_invalid'
  const left = targetMain.turnoverDue - earlier.newerLimits
  const lifted = left <= 0n ? 0n : least(left, earlier.auditAmount)
  return { auditAmount: lifted, postings: postingsBetween(targetWallet, funderMain, amount) }
}

const least = (a: Points, b: Points) => (a < b ? a : b)
