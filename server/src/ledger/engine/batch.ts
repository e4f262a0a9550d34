import { OtherTimeZone } from '../check/time-zone.ts'
import type { Tx } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import type { Outcome } from '../../data/idempotency.ts'
import { TransferStatus } from '@tallyroom/contract/codes'
import { isHold } from '../rules/rules-approval.ts'
import { ringOfBatch } from './bells.ts'
import { Book } from './book.ts'
import { execute } from './execute/execute.ts'
import {
  accountsOf,
  findTerms,
  type LedgerSettings,
  makeRooms,
  readBets,
  readOpenTurnover,
  readCorrected,
  loadFacts,
} from './load/load.ts'
import type { CashActOrder, Order } from '../rules/orders.ts'
import { cashAccounts, findCashRequests, lockCashRequests, endsCashRequest } from './load/cash.ts'
import { approvalAccounts, findApprovals, lockApprovals } from './load/approvals.ts'
import { lockSensitiveChanges } from './sensitive-changes.ts'
import { limitsAfterMove, openTargetEscrows } from './load/limits.ts'
import { loadRooms, showInRooms } from './rooms.ts'
import { lockWallets } from './wallet-locks.ts'
import { tellOfApprovals } from './write/approvals.ts'
import { writeDraft } from './write/write.ts'

type BatchInput = { hub: Hub; frame: LedgerSettings; orders: Order[] }

/** Carries out orders in one transaction: lock, read, decide one by one, write all at once. Outcomes are in order. */
export const runBatch = async (tx: Tx, { hub, frame, orders }: BatchInput): Promise<Outcome[]> => {
  // Requests and approvals are rare, and each names accounts that must be known before the locks.
  const [found, cashRequests] = await Promise.all([findApprovals(tx, orders), findCashRequests(tx, orders)])
  const known = orders.flatMap((order) => [
    ...accountsIn(order),
    ...cashAccounts(order, cashRequests),
    ...approvalAccounts(order, found),
  ])
  const accounts = accountsOf(orders, [...new Set(known)])
  const payeeOf = ({ cashId }: CashActOrder) => cashRequests.get(cashId)?.memberId ?? 0
  // Sent together: each answer waits until the thread is free of other calls, which takes longer than the statements. They
  // run in this order on one connection, and each sees what was committed before it began, so the facts are those after
  // the locks.
  const [termsOf, wallets, cash, approvals, sensitiveChanges, loaded, corrected, bets, openTurnover, shown] =
    await Promise.all([
      findTerms(tx, orders),
      lockWallets(tx, accounts),
      lockCashRequests(
        tx,
        orders,
        found.flatMap(({ cashId }) => cashId ?? []),
      ),
      lockApprovals(tx, orders, found),
      lockSensitiveChanges(tx, orders),
      loadFacts(tx, orders, accounts, frame, {
        payeeOf,
        approvalTargets: found.map(({ targetId }) => targetId),
      }),
      readCorrected(tx, orders),
      readBets(tx, orders),
      readOpenTurnover(tx, orders),
      loadRooms(tx, orders, { approvals: found, cashRequests }),
    ])

  const facts = { ...loaded, ...(await limitsAfterMove(tx, orders, loaded, { payeeOf, timeZone: frame.timeZone })) }
  if (facts.isClosed)
    throw new Error(`It is ${facts.now} in the database, which is inside of a closed period: set its clock right`)
  if (facts.isOtherZone) throw new OtherTimeZone()
  wallets.push(...(await openTargetEscrows(tx, orders, facts.limits, wallets)))
  const rooms = [...shown.rooms.values(), ...(await makeRooms(tx, orders, facts.parties, shown.rooms.values()))]

  const book = new Book({
    facts,
    rooms,
    corrected,
    bets,
    openTurnover,
    wallets,
    termsOf,
    caps: frame.caps,
    cash,
    approvals,
    sensitiveChanges,
  })
  const outcomes = orders.map((order) => execute(book, order))
  await Promise.all([
    writeDraft(tx, book.draft, facts),
    tellOfApprovals(tx, hub, book.draft.approvals),
    ringOfBatch(tx, hub, book.draft, { ...shown, facts }),
    showInRooms(tx, hub, book.draft, { ...shown, facts }),
  ])
  const touched = new Set([...book.draft.moved].map((wallet) => wallet.accountId))
  for (const { terms, status } of book.draft.settlements) {
    touched.add(terms.funderId)
    // The member never hears of a transfer that nobody has approved.
    if (!isHold(terms.type) || status === TransferStatus.success) touched.add(terms.targetId)
  }
  tx.afterCommit(() => {
    for (const id of touched) hub.notify(id, 'account', { account_id: id })
  })
  return outcomes
}

/**
 * The accounts whose wallets an order needs, but for both sides of an earlier transfer. The actor's own are locked too:
 * its orders run one after another.
 */
const accountsIn = (order: Order): number[] => {
  if (order.kind === 'move') return [order.actor.id, order.actor.funderId, order.targetId]
  if (order.kind === 'bet') return [order.gameAccountId, order.memberId]
  if (order.kind === 'lapse' || order.kind === 'cashLapse' || order.kind === 'approvalLapse') return []
  // Taking and giving back move nothing: they wait for the request's row, not for the wallets.
  if (order.kind === 'cashAct' && !endsCashRequest(order)) return []
  return order.kind === 'correct' && order.approves ? [order.actor.id, order.approves.maker.id] : [order.actor.id]
}
