import { randomUUID } from 'node:crypto'
import { one, run, sql } from '../data/sql.ts'
import { Refused } from '../lib/refusal.ts'
import type { CashModel, CashMoveName } from './ledger-model-cash.ts'
import type { Model } from './ledger-model.ts'
import { outcome, type Someone, type world } from './ledger-world.ts'

/** An order for both ledgers, of a request_id, and the words that each answers with. */
export type Planned = { expected: () => string; real: () => Promise<string> }
export type Plan = { actor: Someone; plan: (id: string) => Planned }

/** The state that an order about a request leads to, or the name of its refusal. */
const stateOf = (answer: Promise<{ state: string }>): Promise<string> =>
  answer.then(
    ({ state }) => state,
    (error: unknown) => {
      if (error instanceof Refused) return error.refusal
      throw error
    },
  )

type Parts = {
  w: Awaited<ReturnType<typeof world>>
  model: Model
  cash: CashModel
  members: Someone[]
  movers: Someone[]
  everyone: Someone[]
  pick: <T>(items: readonly T[]) => T
  chance: (part: number) => boolean
  amountOf: () => bigint
}

/** Every outcome that these orders must have had. */
export const cashWords = [
  'asked',
  'taken',
  'refused',
  'withdrawn',
  'cash.not_found',
  'cash.one_at_a_time',
  'cash.taken',
  'cash.not_taken',
  'cash.ended',
]

/** Random orders about members' requests for points. */
export const cashPlans = ({ w, model, cash, members, movers, everyone, pick, chance, amountOf }: Parts) => {
  const asked: { name: string; member: Someone; id: number }[] = []
  const rooms = new Map<number, number>()
  const planAsk = (): Plan => {
    // Most members have turnover due, which would refuse nearly all requests out.
    const free = members.filter(({ id }) => model.due(model.of(id)) === 0n && model.of(id).main > 0n)
    const isOut = free.length > 0 && chance(0.5)
    const actor = pick(isOut ? free : members)
    const direction = isOut || chance(0.2) ? 'out' : 'in'
    const most = isOut && chance(0.9) ? model.of(actor.id).main : undefined
    const wanted = amountOf()
    const amount = most !== undefined && wanted > most ? most : wanted
    const name = randomUUID()
    const room = { id: rooms.get(actor.id) ?? 0, groupId: actor.groupId }
    const body = `${direction} ${amount}`
    return {
      actor,
      plan: (id) => ({
        expected: () => model.once(actor.id, id, body, () => cash.ask(name, actor, direction, amount)),
        real: () => {
          const order = {
            ...w.order(actor, 0, amount, { id, body, call: 'cash/ask' }),
            direction,
            amount,
            room,
          } as const
          const answer = w.ledger.askForPoints({ ...order, account: undefined, slip: '' })
          void answer.then(
            (made) => cash.requests.has(name) && asked.push({ name, member: actor, id: made.id }),
            () => {},
          )
          return stateOf(answer)
        },
      }),
    }
  }
  const planAct = (): Plan => {
    const open = asked.filter(({ member, name }) => cash.openOf(member) === name)
    const { name, member, id: cashId } = pick(open.length && chance(0.9) ? open : asked)
    const request = cash.requests.get(name)
    const takers = movers.filter(({ groupId }) => groupId === member.groupId)
    const taker = takers.find(({ id }) => id === request?.taker)
    const move: CashMoveName = pick(
      request?.state === 'taken'
        ? (['pay', 'pay', 'pay', 'refuse', 'giveBack', 'take', 'withdraw'] as const)
        : (['take', 'take', 'take', 'withdraw', 'pay', 'refuse'] as const),
    )
    const own = taker && chance(0.8) ? taker : pick(takers)
    const actor = chance(0.05) ? pick(everyone) : move === 'withdraw' ? member : own
    const body = `${move} ${name}`
    return {
      actor,
      plan: (id) => ({
        expected: () => model.once(actor.id, id, body, () => cash.act(move, actor, name)),
        real: () => {
          const order = { ...w.order(actor, 0, 0n, { id, body, call: `cash/${move}` }), cashId, reason: 'why' }
          const pay = {
            amount: request?.amount ?? 0n,
            remark: '',
            auditAmount: undefined,
            overridesTurnover: false,
          }
          if (move === 'pay') return outcome(w.ledger.payRequest({ ...order, pay }))
          return stateOf(w.ledger.actOnRequest({ ...order, move }))
        },
      }),
    }
  }
  return {
    plan: () => (asked.length === 0 || chance(0.35) ? planAsk() : planAct()),
    /** Switches requests on for everyone below, and finds the members' rooms. */
    prepare: async (top: Someone) => {
      for (const { id } of members)
        rooms.set(id, (await one<{ id: number }>(w.db, sql`select id from rooms where partner_id = ${id}`))?.id ?? 0)
      await run(w.db, sql`insert into settings (account_id, top_id, cash_requests) values (${top.id}, ${top.id}, 1)`)
    },
  }
}
