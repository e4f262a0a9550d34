import { randomUUID } from 'node:crypto'
import { one, run, sql } from '../../data/sql.ts'
import { Refused } from '../../lib/refusal.ts'
import { passTime } from '../cash.ts'
import type { CashModel, CashMoveName } from './model-cash.ts'
import type { Model } from './model.ts'
import { outcome, type Someone, type world } from './world.ts'

/** An order for both ledgers, of a request_id, and the words that each answers with. */
export type Planned = { expected: () => string; real: () => Promise<string> }
export type NamedTransfer = { name: string; transactionId: string }
export type Plan = { actor: Someone; plan: (id: string) => Planned }

/** The state that an order about a request leads to, or the name of its refusal. */
export const stateOf = (answer: Promise<{ state: string }>): Promise<string> =>
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
  /** Payments that wait for approval, in the order in which they began to; filled here. */
  payments: NamedTransfer[]
  /** How often who takes a request pays it next; 0: by chance only. */
  paysNext: number
}

type Move = { move: CashMoveName; actor: Someone; name: string; cashId: number }

/** Every outcome that these orders must have had; their expiry is counted by itself. */
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
  'cash.lease_over',
]

/** Random orders about members' requests for points. */
export const cashPlans = (parts: Parts) => {
  const { w, model, cash, members, movers, everyone, pick, chance, amountOf, payments, paysNext } = parts
  const asked: { name: string; member: Someone; id: number }[] = []
  const rooms = new Map<number, number>()
  let next: Plan | undefined
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
            (made) => cash.cashRequests.has(name) && asked.push({ name, member: actor, id: made.id }),
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
    const cashRequest = cash.cashRequests.get(name)
    const takers = movers.filter(({ groupId }) => groupId === member.groupId)
    const taker = takers.find(({ id }) => id === cashRequest?.taker)
    const move: CashMoveName = pick(
      cashRequest?.state === 'taken'
        ? (['pay', 'pay', 'pay', 'refuse', 'giveBack', 'take', 'withdraw'] as const)
        : (['take', 'take', 'take', 'withdraw', 'pay', 'refuse'] as const),
    )
    const own = taker && chance(0.8) ? taker : pick(takers)
    const actor = chance(0.05) ? pick(everyone) : move === 'withdraw' ? member : own
    if (move === 'take' && paysNext > 0 && chance(paysNext)) next = planMove({ move: 'pay', actor, name, cashId })
    return planMove({ move, actor, name, cashId })
  }
  const planMove = ({ move, actor, name, cashId }: Move): Plan => {
    const body = `${move} ${name}`
    const payment = randomUUID()
    const amount = cash.cashRequests.get(name)?.amount ?? 0n
    return {
      actor,
      plan: (id) => ({
        expected: () => model.once(actor.id, id, body, () => cash.act(move, actor, name, payment)),
        real: () => {
          const order = { ...w.order(actor, 0, 0n, { id, body, call: `cash/${move}` }), cashId, reason: 'why' }
          const pay = { amount, remark: '', auditAmount: undefined, overridesTurnover: false }
          if (move === 'pay') {
            const answer = w.ledger.payCashRequest({ ...order, pay })
            void answer.then(
              ({ transaction_id: transactionId }) => {
                const waits = model.approvals?.has(payment) && !payments.some((one) => one.name === payment)
                if (waits) payments.push({ name: payment, transactionId })
              },
              () => {},
            )
            return outcome(answer)
          }
          return stateOf(w.ledger.actOnCashRequest({ ...order, move }))
        },
      }),
    }
  }
  /** Ends some leases and deadlines in both ledgers. */
  const passTimes = async () => {
    for (const { name, id } of asked) {
      const cashRequest = cash.cashRequests.get(name)
      if (cashRequest?.state === 'taken' && chance(0.3)) {
        cashRequest.leaseOver = true
        await passTime(id, 'lease', w.config)
      }
      const isOpen = cashRequest?.state === 'taken' || cashRequest?.state === 'asked'
      if (isOpen && chance(0.05)) {
        cashRequest.overdue = true
        await passTime(id, 'deadline', w.config)
      }
    }
  }
  return {
    passTimes,
    plan: () => {
      const following = next
      next = undefined
      return following ?? (asked.length === 0 || chance(0.35) ? planAsk() : planAct())
    },
    /** Switches requests on for everyone below, and finds the members' rooms. */
    prepare: async (top: Someone) => {
      for (const { id } of members)
        rooms.set(id, (await one<{ id: number }>(w.db, sql`select id from rooms where partner_id = ${id}`))?.id ?? 0)
      await run(w.db, sql`insert into settings (account_id, top_id, cash_requests) values (${top.id}, ${top.id}, 1)`)
    },
  }
}
