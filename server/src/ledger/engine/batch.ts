import type { Tx } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import type { Outcome } from '../../data/idempotency.ts'
import { Book } from './book.ts'
import { execute } from './execute.ts'
import { findTerms, type LedgerSettings, lockWallets, readBets, readCorrected, loadFacts, type Terms } from './load.ts'
import type { Order } from '../rules/orders.ts'
import { cashAccounts, findRequests, lockRequests, movesPoints } from './load-cash.ts'
import { showInRooms } from './rooms.ts'
import { writeDraft } from './write.ts'

type BatchInput = { hub: Hub; frame: LedgerSettings; orders: Order[] }

/** Carries out orders in one transaction: lock, read, decide one by one, write all at once. Outcomes are in order. */
export const runBatch = async (tx: Tx, { hub, frame, orders }: BatchInput): Promise<Outcome[]> => {
  const termsOf = await findTerms(tx, orders)
  const requests = await findRequests(tx, orders)
  const accountIds = [
    ...new Set(orders.flatMap((order) => [...accountsOf(order, termsOf(order)), ...cashAccounts(order, requests)])),
  ]
  const wallets = await lockWallets(tx, accountIds)
  const cash = await lockRequests(tx, orders)
  const envelopeIds = orders.flatMap((order) => termsOf(order)?.transferId ?? [])
  const [facts, corrected, bets] = await Promise.all([
    loadFacts(tx, orders, accountIds, envelopeIds, frame),
    readCorrected(tx, orders, termsOf),
    readBets(tx, orders),
  ])

  const book = new Book({ facts, corrected, bets, wallets, termsOf, caps: frame.caps, cash })
  const outcomes = orders.map((order) => execute(book, order))
  await writeDraft(tx, book.draft, facts)
  await showInRooms(tx, hub, book.draft, facts)
  const touched = new Set([...book.draft.moved].map((wallet) => wallet.accountId))
  for (const { terms } of book.draft.settlements) touched.add(terms.funderId).add(terms.targetId)
  tx.afterCommit(() => {
    for (const id of touched) hub.notify(id, 'account', { account_id: id })
  })
  return outcomes
}

/** The accounts whose wallets an order needs. The actor's own are locked too: its orders run one after another. */
const accountsOf = (order: Order, terms: Terms | undefined): number[] => {
  const sides = terms ? [terms.funderId, terms.targetId] : []
  if (order.kind === 'move') return [order.actor.id, order.actor.funderId, order.targetId]
  if (order.kind === 'bet') return [order.gameAccountId, order.memberId]
  if (order.kind === 'cashLapse') return []
  // Taking and giving back move nothing: they wait for the request's row, not for the wallets.
  if (order.kind === 'cashAct' && !movesPoints(order)) return []
  return order.kind === 'lapse' ? sides : [order.actor.id, ...sides]
}
