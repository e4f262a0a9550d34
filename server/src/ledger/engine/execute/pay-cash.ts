import type { ErrorName } from '@tallyroom/contract'
import { TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import type { CashActOrder, CashPayAnswer, DecideOrder, OrderActor } from '../../rules/orders.ts'
import { Hold } from '../../rules/rules-approval.ts'
import { payCashRequest } from '../../rules/rules-cash.ts'
import type { Excess } from '../../rules/rules-limits.ts'
import { postingsBetween } from '../../rules/rules.ts'
import type { Book } from '../book.ts'
import { BrokenOrder } from '../broken-order.ts'
import { auditEnd, setState, escrowOf, isHolding, cashFactsOf, termsOf } from '../cash-rows.ts'
import { auditAsked, carryOut } from './held.ts'
import type { ApprovalFacts } from '../load/approvals.ts'
import type { CashRow } from '../load/cash.ts'
import { cashKind } from '../load/limits.ts'
import type { LockedWallet } from '../wallet-locks.ts'
import { applyPostings } from '../write/write.ts'

export const pay = (book: Book, order: CashActOrder, row: CashRow): CashPayAnswer | ErrorName => {
  const { actor } = order
  const terms = order.pay
  if (!terms) throw new BrokenOrder(`request ${row.id} is to be paid without terms`)
  // The dialog showed another amount: it was opened for another request.
  if (terms.amount !== row.amount) return 'transfer.amount_invalid'
  const opened = openPayment(book, order, row)
  if (typeof opened === 'string') return opened
  const { direction, memberId, amount } = row
  const excess = book.judgeLimits(actor.id, { transferKind: cashKind(direction), targetId: memberId, amount })
  if (excess) return holdPayment(book, order, row, { auditAmount: opened.auditAmount, excess })
  const funderId = payerOf(order, row)
  if (isHolding(row)) {
    applyPostings(book.draft, row.transferId, 1, opened.postings)
    const settlement = { terms: termsOf(row), status: TransferStatus.success, by: actor.id, targetBalance: null }
    book.draft.settlements.push(settlement)
  } else {
    const made = book.write(paymentOf(order, row, opened.auditAmount), opened.postings)
    row.transferId = made.id
    row.transactionId = made.transactionId
  }
  book.addDayTotal(funderId, row.topId, memberId, direction === 'out', amount)
  book.changeTurnover(memberId, opened.auditAmount)
  endPaid(book, order, row, { overridesTurnover: opened.overridesTurnover, colleague: actor })
  return paidAnswer(book, order, row)
}

const payerOf = ({ actor }: CashActOrder, row: CashRow) => (row.direction === 'out' ? row.groupId : actor.funderId)

/** Decides on the transfer of a request. */
const openPayment = (book: Book, order: CashActOrder, row: CashRow) => {
  if (row.direction === 'out' && row.accountId !== null && !row.hasAccount) return 'cash.account_gone'
  const { auditAmount, overridesTurnover = false, remark = '', accountVersion } = order.pay ?? {}
  if (accountVersion !== undefined && accountVersion !== row.accountVersion) return 'cash.account_changed'
  const funderId = payerOf(order, row)
  return payCashRequest<LockedWallet>(
    { direction: row.direction, amount: row.amount, auditAmount, overridesTurnover, hasRemark: remark !== '' },
    {
      actor: book.party(order.actor.id),
      funder: book.party(funderId),
      target: book.party(row.memberId),
      wallets: book.wallets(funderId, row.memberId),
      escrow: escrowOf(book, row.memberId),
      caps: book.caps,
      givenToday: book.given.get(funderId) ?? 0n,
    },
  )
}

/** The transfer of points in. */
const paymentOf = (order: CashActOrder, row: CashRow, auditAmount: bigint) => ({
  topId: row.topId,
  actorId: order.actor.id,
  funderId: payerOf(order, row),
  targetId: row.memberId,
  amount: row.amount,
  transferKind: TransferKind.send,
  wallet: WalletKind.main,
  remark: order.pay?.remark ?? '',
  auditAmount,
  room: { id: row.roomId, sender: order.actor },
  card: 'payment' as const,
})

/** `colleague`: who pays it now. The maker of an approval may have handed over the conversation since. */
const endPaid = (
  book: Book,
  order: CashActOrder,
  row: CashRow,
  { overridesTurnover, colleague }: { overridesTurnover: boolean; colleague?: OrderActor },
) => {
  setState(book, row, { state: 'paid', takenBy: null })
  const remark = row.direction === 'out' ? order.pay?.remark : undefined
  row.bankReference = order.pay?.bankReference ?? ''
  book.draft.cash.steps.push({ row, by: order.actor.id, colleague, reason: '', remark })
  auditEnd(book, order, row, 'cash_paid')
  if (overridesTurnover) auditOverride(book, order, row)
}

const paidAnswer = (book: Book, order: CashActOrder, row: CashRow) => ({
  id: row.id,
  state: row.state,
  transaction_id: row.transactionId ?? '',
  status: TransferStatus.success,
  balance: book.balance(payerOf(order, row), WalletKind.main),
  target_balance: book.balance(row.memberId, WalletKind.main),
})

/** Above a limit of the taker: the request stays taken and its points held until somebody has decided. */
const holdPayment = (
  book: Book,
  order: CashActOrder,
  row: CashRow,
  { auditAmount, excess }: { auditAmount: bigint; excess: Excess },
): CashPayAnswer => {
  const { actor } = order
  const { remark = '', bankReference, overridesTurnover = false, reason = '', auditAmount: asked } = order.pay ?? {}
  const { main, escrow } = book.wallets(payerOf(order, row), row.memberId).funder
  const made = isHolding(row)
    ? { id: row.transferId, transactionId: row.transactionId ?? '' }
    : book.write(
        { ...paymentOf(order, row, auditAmount), status: TransferStatus.pending, hold: Hold.give },
        postingsBetween(main, escrow, row.amount),
      )
  const terms = {
    remark,
    ...(bankReference ? { bankReference } : {}),
    overridesTurnover,
    ...(asked === undefined ? {} : { auditAmount: String(asked) }),
  }
  const approval = { topId: row.topId, transferId: made.id, cashId: row.id, makerId: actor.id, excess, terms, reason }
  book.draft.approvals.made.push({ ...approval, needsConsent: false })
  row.isInApproval = true
  book.draft.cash.steps.push({ row, by: null, reason: '', isInApproval: true })
  const target = { id: row.memberId, topId: row.topId }
  auditAsked(book, order, { transactionId: made.transactionId, amount: row.amount, target, excess })
  const answer = { ...paidAnswer(book, order, row), transaction_id: made.transactionId }
  return { ...answer, status: TransferStatus.pending, approval: 1 }
}

/** Pays a request in the name of its taker, because its payment was approved. */
export const payApproved = (book: Book, order: DecideOrder, approval: ApprovalFacts): ErrorName | undefined => {
  const row = cashFactsOf(book).rows.get(approval.cashId ?? 0)
  if (!row?.isInApproval) return 'approval.ended'
  const { remark = '', bankReference, overridesTurnover = false, auditAmount } = approval.terms
  const pay = {
    amount: row.amount,
    remark,
    bankReference,
    overridesTurnover,
    auditAmount: auditAmount === undefined ? undefined : BigInt(auditAmount),
  }
  // The audit log names the taker; who approved it has an entry of its own.
  const paying: CashActOrder = {
    kind: 'cashAct',
    call: 'cash/pay',
    idempotencyKey: order.idempotencyKey,
    actor: approval.maker,
    cashId: row.id,
    move: 'pay',
    pay,
  }
  if (isHolding(row)) {
    const opened = openPayment(book, paying, row)
    if (typeof opened === 'string') return opened
    applyPostings(book.draft, row.transferId, 1, opened.postings)
    const settled = { terms: termsOf(row), status: TransferStatus.success, by: approval.maker.id, targetBalance: null }
    book.draft.settlements.push(settled)
    book.addDayTotal(row.groupId, row.topId, row.memberId, true, row.amount)
    endPaid(book, paying, row, opened)
    return undefined
  }
  const refusal = carryOut(book, approval, order.actor.id)
  if (refusal) return refusal
  row.transferId = approval.transferId
  row.transactionId = approval.transactionId
  endPaid(book, paying, row, { overridesTurnover: false })
  return undefined
}

/** The approval has ended without one: the taker has the request again, for as long as if it had just taken it. */
export const returnToTaker = (book: Book, { cashId }: ApprovalFacts): void => {
  const row = cashFactsOf(book).rows.get(cashId ?? 0)
  if (row?.state !== 'taken') return
  setState(book, row, { state: 'taken', takenBy: row.takenBy })
  book.draft.cash.steps.push({ row, by: null, reason: '' })
}

const auditOverride = (book: Book, order: CashActOrder, row: CashRow) => {
  const facts = { transaction_id: row.transactionId, amount: formatPoints(row.amount) }
  const target = { id: row.memberId, topId: row.topId }
  book.draft.auditEntries.push({ order, kind: 'flow_limit_overridden', target, facts })
}
