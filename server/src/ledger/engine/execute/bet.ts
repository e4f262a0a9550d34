import { Role, WalletKind, TransferKind } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import { formatPoints, type Points } from '@tallyroom/contract/points'
import { type BookedBet, betKey, type Book } from '../book.ts'
import { BrokenOrder } from '../broken-order.ts'
import type { LockedWallet } from '../wallet-locks.ts'
import type { BetAnswer, BetOrder } from '../../rules/orders.ts'
import type { Party, Posting } from '../../rules/rules.ts'
import { playBet, voidBet } from '../../rules/rules-game.ts'

const betOf = (book: Book, { topId, betId }: BetOrder, transferKind: BetOrder['transferKind']) =>
  book.bets.get(betKey({ topId, betId, transferKind }))

const answerOf = ({ transactionId, after }: { transactionId: string; after: bigint }): BetAnswer => ({
  transaction_id: transactionId,
  balance: formatPoints(after),
})

/** A bet or a win, or a bet given back. Repeated with the same id, it is answered as the first time. */
export const bet = (book: Book, order: BetOrder): BetAnswer | ErrorName => {
  const { topId, memberId, transferKind } = order
  const earlier = betOf(book, order, transferKind)
  if (earlier) return repeated(book, order, earlier)
  const member = book.parties.get(memberId)
  const main = book.lockedWallets.get(`${memberId}/${WalletKind.main}`)
  if (!main || member?.role !== Role.member || main.topId !== topId) return 'account.not_found'
  const bet = betOf(book, order, TransferKind.bet)
  if (transferKind !== TransferKind.bet && bet?.memberId !== memberId) return 'bet.not_found'
  return bet && transferKind === TransferKind.betVoid
    ? giveBack(book, order, main, bet)
    : play(book, order, main, member)
}

const repeated = (book: Book, order: BetOrder, earlier: BookedBet): BetAnswer | ErrorName => {
  const { transferKind, amount, counts, memberId } = order
  if (transferKind === TransferKind.betVoid) return answerOf(earlier)
  const valid = transferKind === TransferKind.bet ? counts : null
  const isSame = earlier.memberId === memberId && earlier.amount === amount && (earlier.valid ?? valid) === valid
  if (!isSame) return 'bet.id_reused'
  // A platform that repeats a bet takes it as played.
  const isVoided = transferKind === TransferKind.bet && betOf(book, order, TransferKind.betVoid)
  return isVoided ? 'bet.voided' : answerOf(earlier)
}

const play = (book: Book, order: BetOrder, main: LockedWallet, member: Party): BetAnswer | ErrorName => {
  const { gameAccountId, memberId, amount, counts } = order
  const transferKind = order.transferKind === TransferKind.win ? TransferKind.win : TransferKind.bet
  if (transferKind === TransferKind.win && betOf(book, order, TransferKind.betVoid)) return 'bet.voided'
  const wallet = member.hasGame ? WalletKind.game : WalletKind.main
  const [playWallet, gameWallet] = [book.wallet(memberId, wallet), book.wallet(gameAccountId, WalletKind.main)]
  const played = playBet({ transferKind, amount, counts }, { member, main, playWallet, gameWallet })
  if (typeof played === 'string') return played
  const betValid = transferKind === TransferKind.bet ? counts : null
  return writeBet(book, order, { wallet, betValid, ...played, filled: played.auditAmount })
}

/** Gives a bet without a win back into the wallet that paid it, and its part of the turnover. */
const giveBack = (book: Book, order: BetOrder, main: LockedWallet, bet: BookedBet): BetAnswer | ErrorName => {
  const { gameAccountId, memberId, amount } = order
  if (betOf(book, order, TransferKind.win)) return 'bet.has_win'
  // Rare, so the order is repeated alone with freshly read limits.
  if (book.limited.has(memberId)) throw new BrokenOrder('limits changed in the same batch')
  const [playWallet, gameWallet] = [book.wallet(memberId, bet.wallet), book.wallet(gameAccountId, WalletKind.main)]
  const openTurnover = book.openTurnover.get(memberId) ?? 0n
  const voided = voidBet({ amount, filled: bet.auditAmount }, { main, playWallet, gameWallet, openTurnover })
  if (typeof voided === 'string') return voided
  return writeBet(book, order, { wallet: bet.wallet, betValid: bet.valid, ...voided, filled: -voided.auditAmount })
}

type Played = {
  wallet: BookedBet['wallet']
  betValid: Points | null
  auditAmount: Points
  /** The turnover that is filled by it; negative when it is due again. */
  filled: Points
  postings: Posting<LockedWallet>[]
}
const writeBet = (book: Book, order: BetOrder, played: Played): BetAnswer => {
  const { topId, gameAccountId, memberId, betId, amount, transferKind } = order
  const { wallet, betValid, auditAmount, filled, postings } = played
  const sides = { topId, actorId: gameAccountId, funderId: gameAccountId, targetId: memberId }
  const terms = { ...sides, transferKind, wallet, amount, betId, betValid, auditAmount }
  const { transactionId } = book.write(terms, postings)
  book.fillTurnover(memberId, filled)
  const after = book.wallet(memberId, wallet).balance
  const made = { transactionId, memberId, amount, valid: betValid, wallet, auditAmount, after }
  book.bets.set(betKey(order), made)
  return answerOf(made)
}
