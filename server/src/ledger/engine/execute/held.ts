import type { ErrorName } from '@tallyroom/contract'
import { EnvelopeType, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { isTaking } from '@tallyroom/contract/transfer-kinds'
import type { RepeatableOrder } from '../../rules/orders.ts'
import { approveHeld, isHold } from '../../rules/rules-approval.ts'
import type { Excess } from '../../rules/rules-limits.ts'
import type { Book } from '../book.ts'
import type { Terms } from '../load/load.ts'
import type { ApprovalFacts } from '../load/approvals.ts'
import { applyPostings, balanceAfter } from '../write/write.ts'

/** The transfer for its settlement. A request's transfer is shown by its card, so it names no room. */
export const termsOf = (row: ApprovalFacts): Terms => ({
  ...row,
  roomId: row.cashId === null ? row.roomId : null,
  type: row.hold,
})

export const heldSides = (book: Book, { funderId, targetId, wallet }: ApprovalFacts) => ({
  wallets: book.wallets(funderId, targetId),
  targetWallet: book.lockedWallets.get(`${targetId}/${wallet}`),
  targetEscrow: book.lockedWallets.get(`${targetId}/${WalletKind.escrow}`),
})

/** Settles the transfer, or passes it on to the member. */
export const carryOut = (book: Book, row: ApprovalFacts, by: number): ErrorName | undefined => {
  const { hold, funderId, targetId, transferKind, amount, transferId } = row
  if (!isHold(hold)) return 'approval.not_found'
  const done = approveHeld(
    {
      hold,
      amount,
      needsConsent: row.needsConsent,
      inRoom: row.roomId !== null,
      overridesTurnover: row.overridesTurnover,
    },
    {
      funder: book.party(funderId),
      target: book.party(targetId),
      isAsked: book.asked.has(targetId),
      ...heldSides(book, row),
    },
  )
  if (typeof done === 'string') return done
  if ('becomes' in done) {
    if (done.becomes === EnvelopeType.ask) book.asked.add(targetId)
    book.draft.approvals.passedOn.push({ transferId, becomes: done.becomes })
    book.draft.changedTransfers.push(termsOf(row))
    return undefined
  }
  applyPostings(book.draft, transferId, 1, done.postings)
  const targetBalance = isTaking(transferKind) ? null : balanceAfter(done.postings, row)
  book.draft.settlements.push({ terms: termsOf(row), status: TransferStatus.success, by, targetBalance })
  book.addDayTotal(funderId, row.topId, targetId, isTaking(transferKind), amount)
  book.changeTurnover(targetId, row.auditAmount)
  return undefined
}

type Asked = { transactionId: string; amount: bigint; target: { id: number; topId: number }; excess: Excess }
export const auditAsked = (book: Book, order: RepeatableOrder, { transactionId, amount, target, excess }: Asked) => {
  const facts = {
    transaction_id: transactionId,
    amount: formatPoints(amount),
    over: excess.part,
    limit: formatPoints(excess.most),
  }
  book.draft.auditEntries.push({ order, kind: 'approval_asked', target, facts })
}
