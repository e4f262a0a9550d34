import { isTaking, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import { canSpare, fits, postingsBetween, MAX_AMOUNT, type Party, type Posting, sees, type Wallet } from './rules.ts'

/** What may move outside the office: a member's own points, its bets and wins, and what an admin takes back. Pure, as rules.ts. */

/** `auditAmount`: the turnover that it opens (into the game wallet), fills (a bet) or lifts (a correction). */
export type Played<W> = { auditAmount: Points; postings: Posting<W>[] }

/** A member moves its own points where they are played with: they must be turned over once. */
export const toGame = <W extends Wallet>(
  amount: Points,
  { member, main, game }: { member: Party; main: W; game: W | undefined },
): Played<W> | ErrorName => {
  if (amount <= 0n) return 'transfer.amount_invalid'
  if (!member.hasGame || !game) return 'access.denied'
  if (member.isFrozen) return 'transfer.frozen'
  if (main.balance < amount) return 'transfer.not_enough'
  if (!fits(game, amount) || main.flowDue + amount > MAX_AMOUNT) return 'transfer.amount_invalid'
  return { auditAmount: amount, postings: postingsBetween(main, game, amount) }
}

/** `counts`: how much of the bet is valid as turnover. `purse` is the wallet that the member plays from. */
export type BetAsk = { transferKind: typeof TransferKind.bet | typeof TransferKind.win; amount: Points; counts: Points }

/**
 * A bet goes from the member to the house and fills what turnover is due, the oldest first; what is left over is lost for
 * later limits. A win comes back, also to who was frozen meanwhile: it was won before.
 */
export const playBet = <W extends Wallet>(
  ask: BetAsk,
  at: { member: Party; purse: W; main: W; house: W },
): Played<W> | ErrorName => {
  const { amount, counts } = ask
  if (amount <= 0n || counts < 0n || counts > amount) return 'transfer.amount_invalid'
  const [from, to] = ask.transferKind === TransferKind.bet ? [at.purse, at.house] : [at.house, at.purse]
  if (ask.transferKind === TransferKind.bet && at.member.isFrozen) return 'transfer.frozen'
  if (!canSpare(from, amount))
    return ask.transferKind === TransferKind.bet ? 'transfer.member_not_enough' : 'transfer.amount_invalid'
  if (!fits(to, amount)) return 'transfer.amount_invalid'
  const filled = ask.transferKind === TransferKind.bet ? least(counts, at.main.flowDue) : 0n
  return { auditAmount: filled, postings: postingsBetween(from, to, amount) }
}

/** An earlier transfer as it stands. `newerLimits`: what all limits of the member that were opened after its own ask for. */
export type Earlier = {
  transferKind: TransferKind
  amount: Points
  auditAmount: Points
  status: TransferStatus
  isCorrected: boolean
  newerLimits: Points
}

/**
 * An admin takes back what somebody below him moved, also of a frozen account. What is left of the turnover that it asked for
 * is lifted: limits are filled oldest first, so what is due belongs to the newest ones first.
 */
export const correct = <W extends Wallet>(
  earlier: Earlier,
  at: { actor: Party; funder: Party; target: Party; funderMain: W; targetMain: W; purse: W | undefined },
): Played<W> | ErrorName => {
  const { actor, funder, target, purse, targetMain, funderMain } = at
  const { amount } = earlier
  if (!purse || !sees(actor, funder) || !sees(actor, target)) return 'transfer.not_found'
  if (actor.isFrozen) return 'transfer.frozen'
  // Bets and wins are the platform's to mend.
  if (!transferKinds[earlier.transferKind].isCorrectable) return 'transfer.not_correctable'
  if (earlier.isCorrected) return 'transfer.already_corrected'
  if (earlier.status !== TransferStatus.success) return 'transfer.not_correctable'
  if (isTaking(earlier.transferKind)) {
    if (!canSpare(funderMain, amount)) return funderMain.floor === 0n ? 'transfer.not_enough' : 'transfer.over_credit'
    if (!fits(purse, amount)) return 'transfer.amount_invalid'
    return { auditAmount: 0n, postings: postingsBetween(funderMain, purse, amount) }
  }
  if (purse.balance < amount) return 'transfer.member_not_enough'
  if (!fits(funderMain, amount)) return 'transfer.amount_invalid'
  const left = targetMain.flowDue - earlier.newerLimits
  const lifted = left <= 0n ? 0n : least(left, earlier.auditAmount)
  return { auditAmount: lifted, postings: postingsBetween(purse, funderMain, amount) }
}

const least = (a: Points, b: Points) => (a < b ? a : b)
