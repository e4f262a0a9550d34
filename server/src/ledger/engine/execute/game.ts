import { isTaking } from '@tallyroom/contract/transfer-kinds'
import { WalletKind, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import type { Book } from '../book.ts'
import { BrokenOrder } from '../broken-order.ts'
import type { CorrectOrder, TransferAnswer, ToGameAnswer, ToGameOrder } from '../../rules/orders.ts'
import { correct, toGame } from '../../rules/rules-game.ts'

export const moveToGame = (book: Book, { actor, amount }: ToGameOrder): ToGameAnswer | ErrorName => {
  const [main, game] = [
    book.wallet(actor.id, WalletKind.main),
    book.lockedWallets.get(`${actor.id}/${WalletKind.game}`),
  ]
  const moved = toGame(amount, { member: book.party(actor.id), main, game })
  if (typeof moved === 'string') return moved
  const sides = { topId: actor.topId, actorId: actor.id, funderId: actor.id, targetId: actor.id }
  const transfer = book.write(
    { ...sides, transferKind: TransferKind.toGame, wallet: WalletKind.game, amount, auditAmount: moved.auditAmount },
    moved.postings,
  )
  book.changeTurnover(actor.id, moved.auditAmount)
  return {
    transaction_id: transfer.transactionId,
    status: TransferStatus.success,
    balance: book.balance(actor.id, WalletKind.main),
    game_wallet: book.balance(actor.id, WalletKind.game),
  }
}

export const correctTransfer = (book: Book, order: CorrectOrder): TransferAnswer | ErrorName => {
  const { approves, remark } = order
  const unfit = approves && unapproved(book, approves.sensitiveChangeId)
  if (unfit) return unfit
  const actor = approves?.maker ?? order.actor
  const terms = book.termsOf(order)
  const corrected = terms && book.corrected.get(terms.transferId)
  if (!terms || !corrected) return 'transfer.not_found'
  const { funderId, targetId, topId, wallet, amount, auditAmount } = terms
  // Rare, so the order is repeated alone with freshly read limits.
  if (book.limited.has(targetId)) throw new BrokenOrder('limits changed in the same batch')
  const state = book.envelopes.get(String(terms.transferId))?.status ?? corrected.status
  const played = correct(
    { transferKind: terms.transferKind, amount, auditAmount, ...corrected, status: state },
    {
      actor: book.party(actor.id),
      payerId: actor.funderId,
      funder: book.party(funderId),
      target: book.party(targetId),
      funderMain: book.wallet(funderId, WalletKind.main),
      targetMain: book.wallet(targetId, WalletKind.main),
      targetWallet: book.lockedWallets.get(`${targetId}/${wallet}`),
    },
  )
  if (typeof played === 'string') return played
  corrected.isCorrected = true
  const sides = { topId, actorId: actor.id, funderId, targetId, wallet, amount }
  const transfer = book.write(
    {
      ...sides,
      transferKind: TransferKind.correction,
      remark,
      corrects: terms.transferId,
      auditAmount: played.auditAmount,
    },
    played.postings,
  )
  book.draft.corrected.push(terms)
  book.changeTurnover(targetId, -played.auditAmount)
  if (funderId !== targetId) book.addDayTotal(funderId, topId, targetId, isTaking(terms.transferKind), -amount)
  const entry = {
    target: { id: targetId, topId },
    facts: { transaction_id: terms.transactionId, amount: formatPoints(amount), remark },
  }
  book.draft.auditEntries.push({ ...entry, order: { ...order, actor }, kind: 'points_corrected' })
  if (approves) {
    book.endSensitiveChange({ id: approves.sensitiveChangeId, by: order.actor.id, makerId: approves.maker.id })
    const facts = { change: 'correction', maker: actor.id, ...entry.facts }
    book.draft.auditEntries.push({ ...entry, order, kind: 'approval_given', facts })
  }
  return {
    transaction_id: transfer.transactionId,
    status: TransferStatus.success,
    balance: book.balance(funderId, WalletKind.main),
    target_balance: book.balance(targetId, wallet),
  }
}

/** Why an approved correction must not be made. */
const unapproved = (book: Book, sensitiveChangeId: number): ErrorName | undefined => {
  const sensitiveChange = book.sensitiveChanges?.get(sensitiveChangeId)
  if (!sensitiveChange?.mayDecide) return 'approval.not_found'
  if (!sensitiveChange.isWaiting) return 'approval.ended'
  return sensitiveChange.makerIsFrozen ? 'change.maker_frozen' : undefined
}
