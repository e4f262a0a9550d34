import type { ErrorName } from '@tallyroom/contract'
import { WalletKind } from '@tallyroom/contract/codes'
import { approvalMoves } from '@tallyroom/contract/limits'
import { formatPoints } from '@tallyroom/contract/points'
import type { ApprovalLapseOrder, DecideAnswer, DecideOrder } from '../../rules/orders.ts'
import { isHold, releaseHeld, seenOf, statusAfter } from '../../rules/rules-approval.ts'
import type { Book } from '../book.ts'
import { payApproved, returnToTaker } from './pay-cash.ts'
import { carryOut, heldSides, termsOf } from './held.ts'
import type { ApprovalFacts } from '../load/approvals.ts'
import { applyPostings } from '../write/write.ts'

type Ending = { move: 'refuse' | 'withdraw' | 'expire' | 'fail'; by: number | null; answer: string }

export const decideApproval = (book: Book, order: DecideOrder): DecideAnswer | ErrorName => {
  const { actor, move } = order
  const row = book.approvals?.get(order.approvalId)
  // One that is none of the actor's business looks like one that does not exist.
  if (!row) return 'approval.not_found'
  const isAllowed = move === 'withdraw' ? row.maker.id === actor.id : row.deciders.includes(actor.id)
  if (!isAllowed) return 'approval.not_found'
  if (row.state !== 'waiting' || row.isOverdue) return 'approval.ended'
  if (move !== 'approve') {
    end(book, row, { move, by: actor.id, answer: order.reason ?? '' })
    if (move === 'refuse') auditDecision(book, order, row, 'approval_refused')
    return { id: row.id, state: row.state }
  }
  if (seenNow(book, row) !== order.seen) return 'approval.changed'
  if (row.makerIsFrozen) return 'transfer.frozen'
  const refusal = row.cashId === null ? carryOut(book, row, actor.id) : payApproved(book, order, row)
  if (refusal) return refusal
  row.state = 'approved'
  book.draft.approvals.steps.push({ ...whose(row), state: 'approved', by: actor.id, answer: '' })
  auditDecision(book, order, row, 'approval_given')
  return { id: row.id, state: row.state, transaction_id: row.transactionId }
}

/** Ends an approval that is overdue or has a frozen side; false when it is neither any more. */
export const lapseApproval = (book: Book, { approvalId }: ApprovalLapseOrder): boolean => {
  const row = book.approvals?.get(approvalId)
  if (row?.state !== 'waiting') return false
  const isFrozen = row.makerIsFrozen || book.party(row.funderId).isFrozen || book.party(row.targetId).isFrozen
  if (!row.isOverdue && !isFrozen) return false
  end(book, row, { move: row.isOverdue ? 'expire' : 'fail', by: null, answer: '' })
  return true
}

const whose = ({ id, topId, maker }: ApprovalFacts) => ({ id, topId, makerId: maker.id })

const seenNow = (book: Book, { id, amount, funderId, targetId, wallet, conversation }: ApprovalFacts): string =>
  seenOf({
    id,
    amount,
    funderBalance: book.wallet(funderId, WalletKind.main).balance,
    targetBalance: book.wallet(targetId, wallet).balance,
    conversation,
  })

const end = (book: Book, row: ApprovalFacts, { move, by, answer }: Ending) => {
  const { state, hold } = row
  if (state !== 'waiting') return
  row.state = approvalMoves[move].to
  // The points of a request out stay held by the request.
  if (isHold(hold)) {
    const postings = releaseHeld({ hold, amount: row.amount }, heldSides(book, row))
    applyPostings(book.draft, row.transferId, 1, postings)
    book.draft.settlements.push({ terms: termsOf(row), status: statusAfter(move), by, targetBalance: null })
  }
  if (row.cashId !== null) returnToTaker(book, row)
  book.draft.approvals.steps.push({ ...whose(row), state: row.state, by, answer })
}

const auditDecision = (
  book: Book,
  order: DecideOrder,
  row: ApprovalFacts,
  kind: 'approval_given' | 'approval_refused',
) => {
  const facts = { transaction_id: row.transactionId, amount: formatPoints(row.amount), maker: row.maker.id }
  const reason = kind === 'approval_refused' ? { reason: order.reason ?? '' } : {}
  const target = { id: row.targetId, topId: row.topId }
  book.draft.auditEntries.push({ order, kind, target, facts: { ...facts, ...reason } })
}
