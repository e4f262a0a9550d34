import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { accountFlags as flags, newAccountState } from '../../testing/ledger/model-account.ts'
import { ApprovalModel } from '../../testing/ledger/model-approval.ts'
import { CashModel } from '../../testing/ledger/model-cash.ts'
import { Model } from '../../testing/ledger/model.ts'
import { approvalPlans } from '../../testing/ledger/plans-approval.ts'
import { cashPlans, type NamedTransfer, type Plan, type Planned } from '../../testing/ledger/plans-cash.ts'
import { expireDue } from '../../testing/ledger/time.ts'
import { dice } from '../../testing/ledger/dice.ts'
import { type Someone, world } from '../../testing/ledger/world.ts'

const w = await world({ timeZone: `Etc/GMT${new Date().getUTCHours() < 12 ? '-' : '+'}6` })

/** What refuses orders of one account for one batch. */
const troubles = ['frozen', 'frozen', 'event', 'dialog', 'send', 'receive'] as const

test('[CASH-04] [CAPS-02] [S20] 2,500 random orders about requests above a limit end as one by one in a simple ledger', {
  timeout: 120_000,
}, async () => {
  const random = dice(20_261_123)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const chance = (part: number) => random() < part
  const amountOf = () => BigInt(Math.floor(random() ** 2 * 60_000)) + 1n
  const model = new Model()
  const cash = new CashModel(model)
  const approvals = new ApprovalModel(model)
  model.approvals = approvals
  const add = async (role: 1 | 2 | 3 | 4, made: Parameters<typeof w.someone>[1], floor: bigint | null = 0n) => {
    const who = await w.someone(role, made)
    // Without turnover members may ask for points out.
    model.people.set(who.id, Object.assign(newAccountState(who, floor), { multiple: 0n, approves: role < Role.member }))
    return who
  }
  const top = await add(Role.admin, { unlimited: true }, null)
  const agent = await add(Role.agent, { under: top, credit: 9_000_000n }, -9_000_000n)
  const staff = [await add(Role.customerService, { under: agent }), await add(Role.customerService, { under: agent })]
  const members: Someone[] = []
  for (let i = 0; i < 6; i++) members.push(await add(Role.member, { under: agent }))
  const movers = [agent, ...staff]
  // Members make no payments: the policy of the calls keeps them out.
  const office = [top, ...movers]
  const everyone = [...office, ...members]
  await run(w.db, sql`update accounts set transfer_member_flow_limit_multiple = 0, may_approve = 1 where role_id <= 3`)

  const payments: NamedTransfer[] = []
  const decisions = approvalPlans({ w, model, approvals, made: [], payments, everyone, pick, chance })
  const luck = { pick, chance, amountOf }
  const cashOrders = cashPlans({ w, model, cash, members, movers, everyone: office, ...luck, payments, paysNext: 0.7 })
  await cashOrders.prepare(top)
  await decisions.limit([
    [agent, { transfer: 40_000n }],
    ...staff.map((who) => [who, { transfer: 5_000n, member: 30_000n }] as const),
  ])
  const set = async (who: Someone, trouble: (typeof troubles)[number], isTrouble: boolean) => {
    const is = trouble === 'frozen' || trouble === 'event' ? isTrouble : !isTrouble
    model.of(who.id)[trouble] = is
    const [column, value] = trouble === 'frozen' ? ['status', isTrouble ? 0 : 1] : [flags[trouble], is ? 1 : 0]
    await w.db.query(`update accounts set ${column} = $1 where id = $2`, [value, who.id])
  }

  const known: (Plan & { id: string })[] = []
  const seen = new Map<string, number>()
  let expired = 0
  for (let done = 0; done < 2500; ) {
    await cashOrders.passTimes()
    await decisions.passTimes()
    const trouble = chance(0.4) ? ([pick([...movers, ...members]), pick(troubles)] as const) : undefined
    if (trouble) await set(...trouble, true)
    if (chance(0.5)) expired += await expireDue({ w, model, cash, approvals })
    const orders = await decisions.plans()
    for (let size = 1 + Math.floor(random() * 20); size > 0; size--) {
      // Sometimes the same order again, by the same request_id.
      const again = chance(0.08) && known.length ? pick(known) : undefined
      orders.push(again ?? { ...cashOrders.plan(), id: randomUUID() })
    }
    known.push(...orders)
    done += orders.length
    const batch: Planned[] = orders.map(({ id, plan }) => plan(id))
    const expected = batch.map((one) => one.expected())
    const real = await Promise.all(batch.map((one) => one.real()))
    expect(real).toEqual(expected)
    for (const word of real) seen.set(word, (seen.get(word) ?? 0) + 1)
    if (trouble) await set(...trouble, false)
  }

  for (const { who, main, escrow } of model.people.values())
    expect([await w.balance(who), (await w.balance(who, 3)) ?? 0n]).toEqual([main, escrow])
  // Every end must have occurred, of points in and out, else it was not tested.
  const ended = [...approvals.approvals.values()].map(({ state, waiting: { how } }) => `${how} ${state}`)
  for (const how of ['payIn', 'payOut'])
    for (const state of ['approved', 'refused', 'withdrawn', 'expired', 'failed'])
      expect(ended).toContain(`${how} ${state}`)
  for (const word of [
    'cash.in_approval',
    'approval.changed',
    'transfer.frozen',
    'transfer.event_mode',
    'access.denied',
  ])
    expect(seen.get(word) ?? 0, word).toBeGreaterThan(1)
  expect(expired).toBeGreaterThan(10)
  await w.isSound()
})
