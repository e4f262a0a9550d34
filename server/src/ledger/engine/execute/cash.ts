import type { Outcome } from '../../../data/idempotency.ts'
import type { ErrorName } from '@tallyroom/contract'
import { isOpenCash } from '@tallyroom/contract/cash'
import { TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import type {
  CashActAnswer,
  CashActOrder,
  CashAskAnswer,
  CashAskOrder,
  CashLapseOrder,
  CashPayAnswer,
} from '../../rules/orders.ts'
import { askForPoints as decideAsk, maybePaidBy, nextState, refusalOfMaybePaid } from '../../rules/rules-cash.ts'
import { type Book, newTransactionId } from '../book.ts'
import { BrokenOrder } from '../broken-order.ts'
import { auditEnd, setState, escrowOf, isHolding, cashFactsOf, termsOf } from '../cash-rows.ts'
import type { CashRow } from '../load/cash.ts'
import { pay } from './pay-cash.ts'
import type { LockedWallet } from '../wallet-locks.ts'
import { applyPostings } from '../write/write.ts'

export const askForPoints = (book: Book, order: CashAskOrder): CashAskAnswer | ErrorName => {
  const { actor, direction, amount, room, account } = order
  // Moved since the room was read: nobody of either group could answer.
  if (book.party(actor.id).groupPath !== book.party(room.groupId).path) return 'room.not_found'
  const cash = cashFactsOf(book)
  const facts = cash.asks.get(actor.id)
  if (!facts) throw new BrokenOrder(`nothing was loaded for the request of account ${actor.id}`)
  const postings = decideAsk<LockedWallet>(order, {
    member: book.party(actor.id),
    head: book.party(room.groupId),
    main: book.wallet(actor.id, WalletKind.main),
    escrow: escrowOf(book, actor.id),
    isOn: facts.isOn,
    hasOpen: facts.hasOpen,
    needsAccount: facts.needsAccount,
    hasAccount: account !== undefined && facts.accounts.includes(account.id),
    caps: book.caps,
  })
  if (typeof postings === 'string') return postings
  facts.hasOpen = true
  const transfer =
    direction === 'out'
      ? book.write({ ...sidesOf(order), auditAmount: 0n, status: TransferStatus.pending, card: 'hold' }, postings)
      : undefined
  const id = cash.ids.shift()
  if (id === undefined) throw new BrokenOrder('the batch has more requests than numbers for them')
  const row: CashRow = {
    id,
    topId: actor.topId,
    groupId: room.groupId,
    roomId: room.id,
    memberId: actor.id,
    messageId: newTransactionId(),
    direction,
    amount,
    state: 'asked',
    takenBy: null,
    isLeaseOver: false,
    isOverdue: false,
    accountId: account?.id ?? null,
    hasAccount: true,
    // A request that was made in this batch is paid in a later one.
    accountVersion: null,
    takerIsKey: false,
    maybePaidBy: null,
    bankReference: '',
    isInApproval: false,
    transferId: transfer?.id ?? null,
    transactionId: transfer?.transactionId ?? null,
  }
  cash.rows.set(id, row)
  book.draft.cash.made.push({ row, order })
  return { id, state: 'asked', balance: book.balance(actor.id, WalletKind.main) }
}

/** The transfer that holds the points: from the member to the head of the group, once the request is paid. */
const sidesOf = ({ actor, amount, room }: CashAskOrder) => ({
  topId: actor.topId,
  transferKind: TransferKind.receive,
  actorId: actor.id,
  funderId: room.groupId,
  targetId: actor.id,
  wallet: WalletKind.main,
  amount,
  room: { id: room.id, sender: actor },
})

export const actOnCashRequest = (book: Book, order: CashActOrder): CashActAnswer | CashPayAnswer | ErrorName => {
  const { actor, cashId, move } = order
  const row = cashFactsOf(book).rows.get(cashId)
  // Somebody else's request looks like one that does not exist.
  const isOwn = row && (move === 'withdraw' ? row.memberId === actor.id : row.groupId === actor.groupId)
  if (!row || !isOwn) return 'cash.not_found'
  const payer = maybePaidBy(row)
  // One that may be paid waits for a person, however long.
  const state = nextState(move, payer === null ? row : { ...row, isOverdue: false }, actor.id)
  if (!isState(state)) return state
  // Its payment waits: the taker can take the approval back first.
  if (row.isInApproval) return 'cash.in_approval'
  const { byKey, hasLooked = false } = order
  const refusal = payer === null ? undefined : refusalOfMaybePaid(move, { isByKey: byKey !== undefined, hasLooked })
  if (refusal) return refusal
  row.maybePaidBy = payer
  if (move === 'pay') return pay(book, order, row)
  if (!isOpenCash(state)) giveBackPoints(book, row, TransferStatus.rejected, actor.id)
  setState(book, row, { state, takenBy: state === 'taken' ? actor.id : null })
  row.takerIsKey = state === 'taken' && byKey !== undefined
  // Who has to look needs what the key has said.
  if (payer === null || !isOpenCash(state)) row.bankReference = byKey?.lease?.reference ?? ''
  const by = isOpenCash(state) ? null : actor.id
  const colleague = !byKey && (move === 'take' || move === 'refuse') ? actor : undefined
  const { reason = '', reasonCode } = order
  book.draft.cash.steps.push({ row, by, colleague, reason, reasonCode, leaseSeconds: byKey?.lease?.seconds })
  if (move === 'refuse') auditEnd(book, order, row, 'cash_refused')
  return { id: row.id, state }
}

/** Why a key acts no more: it was revoked, or the right was withdrawn, since its call was checked. */
export const keyRefusal = (book: Book, { byKey }: CashActOrder): Outcome | undefined => {
  if (!byKey) return undefined
  const { id, right } = byKey
  const rights = cashFactsOf(book).keys.get(id)
  if (!rights) return { refused: 'api.not_signed' }
  return rights.includes(right) ? undefined : { refused: 'api.not_allowed', with: { right } }
}

/** Ends an overdue request or gives back one whose lease is over; false when neither is so any more. */
export const lapseCashRequest = (book: Book, { cashId }: CashLapseOrder): boolean => {
  const row = cashFactsOf(book).rows.get(cashId)
  // The end of its approval frees it.
  if (!row || row.isInApproval) return false
  const payer = maybePaidBy(row)
  const expired = payer === null ? nextState('expire', row, undefined) : 'cash.maybe_paid'
  const state = isState(expired) ? expired : nextState('lapse', row, undefined)
  if (!isState(state)) return false
  row.maybePaidBy = payer
  if (payer === null) row.bankReference = ''
  if (state === 'expired') giveBackPoints(book, row, TransferStatus.expired, null)
  setState(book, row, { state, takenBy: null })
  book.draft.cash.steps.push({ row, by: null, reason: '' })
  return true
}

const isState = (found: string): found is CashRow['state'] => !found.includes('.')

const giveBackPoints = (book: Book, row: CashRow, status: TransferStatus, by: number | null) => {
  if (!isHolding(row)) return
  const postings = [
    { wallet: book.wallet(row.memberId, WalletKind.escrow), amount: -row.amount },
    { wallet: book.wallet(row.memberId, WalletKind.main), amount: row.amount },
  ]
  applyPostings(book.draft, row.transferId, 1, postings)
  book.draft.settlements.push({ terms: termsOf(row), status, by, targetBalance: null })
}
