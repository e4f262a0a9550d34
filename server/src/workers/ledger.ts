import type { Ledger } from '../ledger/engine/ledger.ts'
import type { Traces } from '../lib/traces.ts'
import type { MoveOrder, OrderActor } from '../ledger/rules/orders.ts'
import type { Handlers, Link } from './link.ts'

type Method = keyof Ledger
type Sent = [method: Method, order: unknown, trace?: string]

/** The fields of an order that hold a whole actor, of which the ledger reads a part. */
type WithActors = {
  actor?: OrderActor & Partial<Pick<MoveOrder['actor'], 'rights'>>
  from?: { session: { id: bigint }; address: string }
  approves?: { sensitiveChangeId: number; maker: OrderActor }
}

const orderActor = ({ id, role, topId, path, groupId, groupPath, funderId, username, nickname }: OrderActor) => ({
  id,
  role,
  topId,
  path,
  groupId,
  groupPath,
  funderId,
  username,
  nickname,
})

/** Leaves out what the ledger does not read. Only a move reads its actor's rights, which are longer than the rest of it. */
const slim = (method: Method, order: WithActors) => ({
  ...order,
  ...(order.actor && {
    actor: { ...orderActor(order.actor), ...(method === 'move' && { rights: order.actor.rights }) },
  }),
  ...(order.from && { from: { session: { id: order.from.session.id }, address: order.from.address } }),
  ...(order.approves && { approves: { ...order.approves, maker: orderActor(order.approves.maker) } }),
})

const traceOf = (trace: string | undefined): [string?] => (trace === undefined ? [] : [trace])

/**
 * The writer's ledger, for a worker: the orders of all workers share its batches. If the writer dies, so does this worker,
 * and the client repeats its request, which has one outcome.
 */
export const remoteLedger = ({ ask }: Pick<Link, 'ask'>, traces?: Traces): Ledger => {
  const send =
    <Name extends Method>(method: Name) =>
    (order?: Parameters<Ledger[Name]>[0]) =>
      ask<never>('ledger', [
        method,
        order && slim(method, order as WithActors),
        ...traceOf(traces?.carried()),
      ] satisfies Sent)
  return {
    move: send('move'),
    answer: send('answer'),
    toGame: send('toGame'),
    correct: send('correct'),
    bet: send('bet'),
    win: send('win'),
    voidBet: send('voidBet'),
    askForPoints: send('askForPoints'),
    actOnCashRequest: send('actOnCashRequest'),
    payCashRequest: send('payCashRequest'),
    decide: send('decide'),
    expireDue: send('expireDue'),
  }
}

/** Answers the workers' orders. */
export const ledgerHandlers = (ledger: Ledger, traces?: Traces): Handlers => ({
  ledger: ([method, order, trace]: Sent) => {
    const act = () => ledger[method](order as never)
    return traces ? traces.resume(trace, act) : act()
  },
})
