import { isTaking } from '@tallyroom/contract/transfer-kinds'
import { WalletKind, TransferStatus, EnvelopeType } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import { mayMovePoints } from '../../../identity/policy.ts'
import { isOfFormerKey, type Outcome } from '../../../data/idempotency.ts'
import type { Book } from '../book.ts'
import { BrokenOrder } from '../broken-order.ts'
import { bet } from './bet.ts'
import { moveToGame, correctTransfer } from './game.ts'
import { actOnCashRequest, askForPoints, keyRefusal, lapseCashRequest } from './cash.ts'
import { decideApproval, lapseApproval } from './approval.ts'
import { auditAsked } from './held.ts'
import type { Terms } from '../load/load.ts'
import {
  type EnvelopeAnswer,
  type AnswerOrder,
  type LapseOrder,
  type TransferAnswer,
  type MoveOrder,
  type Order,
  writeOf,
  type ServerOrder,
} from '../../rules/orders.ts'
import { roomFor } from '../rooms.ts'
import { type Opened, openOffer, type Party, settleOffer } from '../../rules/rules.ts'
import { holdPoints } from '../../rules/rules-approval.ts'
import type { Excess } from '../../rules/rules-limits.ts'
import type { LockedWallet } from '../wallet-locks.ts'
import { balanceAfter, applyPostings, type NewTransfer } from '../write/write.ts'

type EnvelopeTerms = Terms & { type: EnvelopeType }

/** Decides one order of a batch on the book as the earlier orders left it. */
export const execute = (book: Book, order: Order): Outcome => {
  if (order.kind === 'lapse') return { data: lapse(book, order) }
  if (order.kind === 'cashLapse') return { data: lapseCashRequest(book, order) }
  if (order.kind === 'approvalLapse') return { data: lapseApproval(book, order) }
  const stored = writeOf(order)
  if (!stored) return asOutcome(decide(book, order))
  const { actorId, call, idempotencyKey } = stored
  const key = `${actorId}/${idempotencyKey.id.toLowerCase()}`
  const bodyHash = idempotencyKey.hash.toString('hex')
  const earlier = book.answered.get(key)
  if (earlier) {
    const isRepeat = earlier.bodyHash === bodyHash || isOfFormerKey(earlier, stored)
    return isRepeat ? earlier.answer : { refused: 'request.id_reused' }
  }
  // Not stored: the same request is made when the key has the right again.
  const refusal = order.kind === 'cashAct' ? keyRefusal(book, order) : undefined
  if (refusal) return refusal
  const answer = asOutcome(decide(book, order))
  // Refused bets are not stored: the platform may report them again.
  if (order.kind === 'bet' && 'refused' in answer) return answer
  book.answered.set(key, { call, bodyHash, storedAt: book.facts.instant.getTime(), answer })
  book.draft.outcomes.push({ actorId, requestId: idempotencyKey.id, call, bodyHash: idempotencyKey.hash, answer })
  return answer
}

const decide = (book: Book, order: Exclude<Order, ServerOrder>) => {
  if (order.kind === 'bet') return bet(book, order)
  if (order.kind === 'cashAsk') return askForPoints(book, order)
  if (order.kind === 'cashAct') return actOnCashRequest(book, order)
  if (order.kind === 'decide') return decideApproval(book, order)
  if (order.kind === 'move') return move(book, order)
  if (order.kind === 'answer') return answer(book, order)
  return order.kind === 'toGame' ? moveToGame(book, order) : correctTransfer(book, order)
}

const move = (book: Book, order: MoveOrder): TransferAnswer | ErrorName => {
  const { actor, targetId, wallet, amount, remark } = order
  const { funderId, topId } = actor
  const target = book.parties.get(targetId)
  const { room, isWrong } = roomFor(order, book.rooms)
  const opened = openOffer(
    {
      transferKind: order.transferKind,
      wallet,
      amount,
      inRoom: order.room !== undefined,
      auditAmount: order.room?.auditAmount,
      hasRemark: remark !== '',
      overridesTurnover: order.room?.overridesTurnover ?? false,
    },
    {
      actor: book.party(actor.id),
      funder: book.party(funderId),
      target,
      targetId,
      isWrongRoom: isWrong,
      isAsked: book.asked.has(targetId),
      mayMove: target !== undefined && mayMove(order, target),
      wallets: target && book.wallets(funderId, targetId),
      caps: book.caps,
      givenToday: book.given.get(funderId) ?? 0n,
    },
  )
  if (typeof opened === 'string') return opened
  const held = target && holdAboveLimit(book, order, opened)
  if (typeof held === 'string') return held
  const { overridesTurnover, auditAmount } = opened
  const state = held ? TransferStatus.pending : opened.status
  const terms = {
    topId,
    transferKind: order.transferKind,
    actorId: actor.id,
    funderId,
    targetId,
    wallet,
    amount,
    remark,
  }
  const shown = room && order.room ? { id: room.id, sender: actor } : undefined
  const needsConsent = opened.status === TransferStatus.pending
  const transfer = book.write(
    { ...terms, auditAmount, overridesTurnover, status: state, room: shown, hold: held?.hold, needsConsent },
    held?.postings ?? opened.postings,
  )
  const isTaken = isTaking(order.transferKind)
  if (held) askForApproval(book, order, transfer, held.excess)
  else if (state === TransferStatus.success) {
    book.addDayTotal(funderId, topId, targetId, isTaken, amount)
    book.changeTurnover(targetId, auditAmount)
  } else if (isTaken) book.asked.add(targetId)
  if (overridesTurnover) {
    const facts = { transaction_id: transfer.transactionId, amount: formatPoints(amount) }
    book.draft.auditEntries.push({ order, kind: 'flow_limit_overridden', target: { id: targetId, topId }, facts })
  }
  return {
    transaction_id: transfer.transactionId,
    status: state,
    balance: book.balance(funderId, WalletKind.main),
    target_balance: book.balance(targetId, wallet),
    ...(held ? { approval: 1 as const } : {}),
  }
}

/** Holds the points of a transfer that is above a limit of its actor; undefined when it is not. */
const holdAboveLimit = (book: Book, order: MoveOrder, opened: Opened<LockedWallet>) => {
  const { actor, targetId, transferKind, amount, wallet } = order
  const excess = book.judgeLimits(actor.id, { transferKind, targetId, amount })
  if (!excess) return undefined
  const escrow = book.lockedWallets.get(`${targetId}/${WalletKind.escrow}`)
  const held = holdPoints(
    { transferKind, amount, isOffer: opened.status === TransferStatus.pending },
    book.wallets(actor.funderId, targetId).funder,
    { wallet: book.wallet(targetId, wallet), escrow },
  )
  return typeof held === 'string' ? held : { ...held, excess }
}

const askForApproval = (book: Book, order: MoveOrder, transfer: NewTransfer, excess: Excess) => {
  const { actor, reason = '', targetId } = order
  const { id: transferId, transactionId, amount, needsConsent = false, topId } = transfer
  const approval = { topId, transferId, cashId: null, makerId: actor.id, excess, needsConsent, terms: {}, reason }
  book.draft.approvals.made.push(approval)
  auditAsked(book, order, { transactionId, amount, target: { id: targetId, topId }, excess })
}

const answer = (book: Book, order: AnswerOrder): EnvelopeAnswer | ErrorName => {
  const terms = book.termsOf(order)
  // Somebody else's envelope looks like one that does not exist.
  if (!isEnvelope(terms) || terms.targetId !== order.actor.id) return 'envelope.not_found'
  const settled = settleEnvelope(book, terms, order.accept ? 'accept' : 'reject', order.actor.id)
  if (typeof settled === 'string') return settled
  return {
    transaction_id: terms.transactionId,
    status: settled.status,
    balance: book.balance(terms.targetId, terms.wallet),
  }
}

const lapse = (book: Book, order: LapseOrder): boolean => {
  const terms = book.termsOf(order)
  if (!isEnvelope(terms)) return false
  const before = book.draft.settlements.length
  settleEnvelope(book, terms, 'lapse', null)
  return book.draft.settlements.length > before
}

const settleEnvelope = (
  book: Book,
  terms: EnvelopeTerms,
  verdict: 'accept' | 'reject' | 'lapse',
  by: number | null,
) => {
  const { transferId, funderId, targetId, type, wallet, amount, overridesTurnover } = terms
  const envelope = book.envelopes.get(String(transferId))
  if (!envelope) throw new BrokenOrder(`envelope ${transferId} was not loaded`)
  const settled = settleOffer(
    verdict,
    { type, wallet, amount, status: envelope.status, isOverdue: envelope.isOverdue, overridesTurnover },
    { funder: book.party(funderId), target: book.party(targetId), wallets: book.wallets(funderId, targetId) },
  )
  if (typeof settled === 'string') return settled
  envelope.status = settled.status
  if (type === EnvelopeType.ask) book.asked.delete(targetId)
  const isEnded = settled.status === TransferStatus.expired || settled.status === TransferStatus.failed
  applyPostings(book.draft, transferId, 1, settled.postings)
  const targetBalance = balanceAfter(settled.postings, terms)
  book.draft.settlements.push({ terms, status: settled.status, by: isEnded ? null : by, targetBalance })
  if (settled.status === TransferStatus.success) {
    book.addDayTotal(funderId, terms.topId, targetId, type === EnvelopeType.ask, amount)
    book.changeTurnover(targetId, terms.auditAmount)
  }
  return settled.refusal ?? settled
}

const asOutcome = (done: object | ErrorName): Outcome => (typeof done === 'string' ? { refused: done } : { data: done })

/** It waits for the member. Others wait for a request for points, or for approval. */
const isEnvelope = (terms: Terms | undefined): terms is EnvelopeTerms =>
  terms?.type === EnvelopeType.give || terms?.type === EnvelopeType.ask

const mayMove = ({ actor, transferKind }: MoveOrder, { role }: Party) => mayMovePoints(actor, role, transferKind)
