import type { ErrorName } from '@tallyroom/contract'
import { isOpenCash } from '@tallyroom/contract/cash'
import { TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { type Book, newTransactionId } from './book.ts'
import type {
  CashActAnswer,
  CashActOrder,
  CashAskAnswer,
  CashAskOrder,
  CashLapseOrder,
  CashPayAnswer,
} from '../rules/orders.ts'
import { askForPoints as decideAsk, nextState, payRequest } from '../rules/rules-cash.ts'
import { BrokenOrder } from './broken-order.ts'
import { CASH_HOLD, type LockedWallet, type Terms } from './load.ts'
import type { CashFacts, CashRow } from './load-cash.ts'
import { applyPostings } from './write.ts'

const requestsOf = (book: Book): CashFacts => {
  if (!book.cash) throw new BrokenOrder('the requests of the batch were not loaded')
  return book.cash
}
const escrowOf = (book: Book, memberId: number) => book.held.get(`${memberId}/${WalletKind.escrow}`)

export const askForPoints = (book: Book, order: CashAskOrder): CashAskAnswer | ErrorName => {
  const { actor, direction, amount, room, account } = order
  const cash = requestsOf(book)
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

export const actOnRequest = (book: Book, order: CashActOrder): CashActAnswer | CashPayAnswer | ErrorName => {
  const { actor, cashId, move } = order
  const row = requestsOf(book).rows.get(cashId)
  // Somebody else's request looks like one that does not exist.
  const isOwn = row && (move === 'withdraw' ? row.memberId === actor.id : row.groupId === actor.groupId)
  if (!row || !isOwn) return 'cash.not_found'
  const state = nextState(move, row, actor.id)
  if (!isState(state)) return state
  if (move === 'pay') return pay(book, order, row)
  if (!isOpenCash(state)) giveBackPoints(book, row, TransferStatus.rejected, actor.id)
  change(book, row, { state, takenBy: state === 'taken' ? actor.id : null })
  const by = isOpenCash(state) ? null : actor.id
  book.draft.cash.changes.push({ row, by, reason: order.reason ?? '' })
  if (move === 'refuse') auditEnd(book, order, row, 'cash_refused')
  return { id: row.id, state }
}

/** Ends an overdue request or gives back one whose lease is over; false when neither is so any more. */
export const lapseRequest = (book: Book, { cashId }: CashLapseOrder): boolean => {
  const row = requestsOf(book).rows.get(cashId)
  if (!row) return false
  const expired = nextState('expire', row, undefined)
  const state = isState(expired) ? expired : nextState('lapse', row, undefined)
  if (!isState(state)) return false
  if (state === 'expired') giveBackPoints(book, row, TransferStatus.expired, null)
  change(book, row, { state, takenBy: null })
  book.draft.cash.changes.push({ row, by: null, reason: '' })
  return true
}

const isState = (found: string): found is CashRow['state'] => !found.includes('.')

const change = (book: Book, row: CashRow, next: Pick<CashRow, 'state' | 'takenBy'>) => {
  Object.assign(row, next, { isLeaseOver: false })
  const facts = requestsOf(book).asks.get(row.memberId)
  if (facts && !isOpenCash(next.state)) facts.hasOpen = false
}

/** The envelope of a request out. Its card is found by the request, so the envelope names no room. */
const termsOf = (row: CashRow & { transferId: bigint }): Terms => ({
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
  type: CASH_HOLD,
})
const isHolding = (row: CashRow): row is CashRow & { transferId: bigint } =>
  row.direction === 'out' && row.transferId !== null

const giveBackPoints = (book: Book, row: CashRow, status: TransferStatus, by: number | null) => {
  if (!isHolding(row)) return
  const postings = [
    { wallet: book.wallet(row.memberId, WalletKind.escrow), amount: -row.amount },
    { wallet: book.wallet(row.memberId, WalletKind.main), amount: row.amount },
  ]
  applyPostings(book.draft, row.transferId, 1, postings)
  book.draft.settlements.push({ terms: termsOf(row), status, by, targetBalance: null })
}

const pay = (book: Book, order: CashActOrder, row: CashRow): CashPayAnswer | ErrorName => {
  const { actor } = order
  const terms = order.pay
  if (!terms) throw new BrokenOrder(`request ${row.id} is to be paid without terms`)
  // The dialog showed another amount: it was opened for another request.
  if (terms.amount !== row.amount) return 'transfer.amount_invalid'
  if (row.direction === 'out' && row.accountId !== null && !row.hasAccount) return 'cash.account_gone'
  const funderId = row.direction === 'out' ? row.groupId : actor.funderId
  const opened = payRequest<LockedWallet>(
    { ...terms, direction: row.direction, hasRemark: terms.remark !== '' },
    {
      actor: book.party(actor.id),
      funder: book.party(funderId),
      target: book.party(row.memberId),
      wallets: book.wallets(funderId, row.memberId),
      escrow: escrowOf(book, row.memberId),
      caps: book.caps,
      givenToday: book.given.get(funderId) ?? 0n,
    },
  )
  if (typeof opened === 'string') return opened
  const isOut = isHolding(row)
  if (isOut) {
    applyPostings(book.draft, row.transferId, 1, opened.postings)
    const settlement = { terms: termsOf(row), status: TransferStatus.success, by: actor.id, targetBalance: null }
    book.draft.settlements.push(settlement)
  } else {
    const sides = { topId: row.topId, actorId: actor.id, funderId, targetId: row.memberId, amount: row.amount }
    const room = { id: row.roomId, sender: actor }
    const kind = { transferKind: TransferKind.send, wallet: WalletKind.main, remark: terms.remark } as const
    const { auditAmount } = opened
    const made = book.write({ ...sides, ...kind, auditAmount, room, card: 'payment' }, opened.postings)
    row.transferId = made.id
    row.transactionId = made.transactionId
  }
  book.addDayTotal(funderId, row.topId, row.memberId, isOut, row.amount)
  book.changeTurnover(row.memberId, opened.auditAmount)
  change(book, row, { state: 'paid', takenBy: null })
  book.draft.cash.changes.push({ row, by: actor.id, reason: '', remark: isOut ? terms.remark : undefined })
  auditEnd(book, order, row, 'cash_paid')
  if (opened.overridesTurnover) auditOverride(book, order, row)
  return {
    id: row.id,
    state: 'paid',
    transaction_id: row.transactionId ?? '',
    status: TransferStatus.success,
    balance: book.balance(funderId, WalletKind.main),
    target_balance: book.balance(row.memberId, WalletKind.main),
  }
}

const auditEnd = (book: Book, order: CashActOrder, row: CashRow, kind: 'cash_paid' | 'cash_refused') => {
  const { id, direction, transactionId } = row
  const amount = `${direction === 'out' ? '-' : ''}${formatPoints(row.amount)}`
  const facts = {
    request: id,
    amount,
    ...(kind === 'cash_paid' ? { transaction_id: transactionId } : { reason: order.reason ?? '' }),
  }
  book.draft.auditEntries.push({ order, kind, target: { id: row.memberId, topId: row.topId }, facts })
}

const auditOverride = (book: Book, order: CashActOrder, row: CashRow) => {
  const facts = { transaction_id: row.transactionId, amount: formatPoints(row.amount) }
  const target = { id: row.memberId, topId: row.topId }
  book.draft.auditEntries.push({ order, kind: 'flow_limit_overridden', target, facts })
}
