import { isOpenCash } from '@tallyroom/contract/cash'
import { EnvelopeKind, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import type { CashActOrder } from '../rules/orders.ts'
import type { Book } from './book.ts'
import { BrokenOrder } from './broken-order.ts'
import type { Terms } from './load/load.ts'
import type { CashFacts, CashRow } from './load/cash.ts'

export const cashFactsOf = (book: Book): CashFacts => {
  if (!book.cash) throw new BrokenOrder('the requests of the batch were not loaded')
  return book.cash
}
export const escrowOf = (book: Book, memberId: number) => book.lockedWallets.get(`${memberId}/${WalletKind.escrow}`)

export const setState = (book: Book, row: CashRow, next: Pick<CashRow, 'state' | 'takenBy'>) => {
  Object.assign(row, next, { isLeaseOver: false, isInApproval: false })
  const facts = cashFactsOf(book).asks.get(row.memberId)
  if (facts && !isOpenCash(next.state)) facts.hasOpen = false
}

/** The envelope of a request out. Its card is found by the request, so the envelope names no room. */
export const termsOf = (row: CashRow & { transferId: bigint }): Terms => ({
  transferId: row.transferId,
  transactionId: row.transactionId ?? '',
  topId: row.topId,
  transferKind: TransferKind.receive,
  funderId: row.groupId,
  targetId: row.memberId,
  wallet: WalletKind.main,
  amount: row.amount,
  auditAmount: 0n,
  overridesTurnover: false,
  roomId: null,
  type: EnvelopeKind.cashHold,
})
export const isHolding = (row: CashRow): row is CashRow & { transferId: bigint } =>
  row.direction === 'out' && row.transferId !== null

const referenceOf = ({ pay }: CashActOrder) => (pay?.bankReference ? { bank_reference: pay.bankReference } : {})

/** The remark of a request out is an edit, which is not sealed with the transfer. */
const remarkOf = ({ pay }: CashActOrder, { direction }: CashRow) =>
  direction === 'out' && pay?.remark ? { remark: pay.remark } : {}

const reasonOf = ({ reason = '', reasonCode }: CashActOrder) => ({
  ...(reasonCode ? { reason_code: reasonCode } : {}),
  ...(reason || !reasonCode ? { reason } : {}),
})

export const auditEnd = (book: Book, order: CashActOrder, row: CashRow, kind: 'cash_paid' | 'cash_refused') => {
  const { id, direction, transactionId } = row
  const amount = `${direction === 'out' ? '-' : ''}${formatPoints(row.amount)}`
  const facts = {
    request: id,
    amount,
    ...(row.maybePaidBy === null ? {} : { looked_after: row.maybePaidBy }),
    ...(kind === 'cash_paid'
      ? { transaction_id: transactionId, ...referenceOf(order), ...remarkOf(order, row) }
      : reasonOf(order)),
  }
  book.draft.auditEntries.push({ order, kind, target: { id: row.memberId, topId: row.topId }, facts })
}
