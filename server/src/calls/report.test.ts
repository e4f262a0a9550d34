import { expect, test } from 'vitest'
import { many, one, run, sql } from '../db.ts'
import { type Person, testHouse } from '../testing/app.ts'

// Fourteen hours ahead of UTC: a report that counts days in UTC would miss most of them.
const house = await testHouse({ TIME_ZONE: 'Pacific/Kiritimati' })
const { db } = house.house

const today = async () =>
  (await one<{ day: string }>(db, sql`select (now() at time zone 'Pacific/Kiritimati')::date::text as day`))?.day ?? ''
const sr02 = async (who: Person, username = '') => {
  const day = await today()
  return who.call('report/sr02', { username, start_date: day, end_date: day })
}

test('[SR02-02] [SR02-03] [SR02-04] report/sr02 counts what members were given and gave, to the last decimal, when it happened', async () => {
  const { top, agent, cs, member } = await house.family()
  const sub = await house.person({ role: 2, under: agent, points: '100' })
  const theirs = await house.person({ role: 4, under: sub })
  expect(await sr02(agent)).toEqual({ total: { total_in: '0.0000', total_out: '0.0000' }, data: [], days: [] })

  await agent.call('user/transaction', { id: member.id, amount: '10.0001' })
  await agent.call('user/transaction', { id: member.id, amount: '-3.0002' })
  await sub.call('user/transaction', { id: theirs.id, amount: '0.0003' })
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const offer = () => cs.call('transaction/add', { member_id: member.id, type: 1, amount: '5' })
  const [accepted, rejected] = [await offer(), await offer()]
  await offer()
  await member.call('envelope/answer', { transaction_id: rejected.transaction_id, accept: false })
  const pending = await sr02(agent)
  expect(pending.total).toEqual({ total_in: '10.0004', total_out: '3.0002' })
  await member.call('envelope/answer', { transaction_id: accepted.transaction_id, accept: true })

  const own = { id: agent.id, username: agent.username, total_in: '15.0001', total_out: '3.0002' }
  const below = { id: sub.id, username: sub.username, total_in: '0.0003', total_out: '0.0000' }
  const report = await sr02(agent)
  expect(report.total).toEqual({ total_in: '15.0004', total_out: '3.0002' })
  expect(new Set(report.data)).toEqual(new Set([own, below]))
  expect((await sr02(top)).total).toEqual(report.total)
  const one = { total_in: '0.0003', total_out: '0.0000' }
  expect(await sr02(sub)).toEqual({ total: one, data: [below], days: [{ day: await today(), ...one }] })
  expect(report.days).toEqual([{ day: await today(), ...report.total }])
  expect((await sr02(agent, sub.username.slice(2).toUpperCase())).data).toEqual([below])
  expect(await sr02((await house.family()).agent)).toEqual({
    total: { total_in: '0.0000', total_out: '0.0000' },
    data: [],
    days: [],
  })

  // in - out is what members took from the purse and its escrow.
  const held = await many<{ sum: bigint }>(
    db,
    sql`select sum(balance)::bigint as sum from wallets where account_id = ${agent.id} and kind in (1, 3)`,
  )
  expect(held[0]?.sum).toBe(10_000_000n - 1_000_000n - (150_001n - 30_002n))
})

test('[SR02-01] report/sr02 refuses a range that ends before it begins, and is for admins and agents', async () => {
  const { agent, cs, member } = await house.family()
  const ask = async (who: Person, start_date: string, end_date: string) =>
    (await who.ask('report/sr02', { start_date, end_date })).code
  expect(await ask(agent, '2026-01-02', '2026-01-01')).toBe(1400)
  expect(await ask(agent, '2025-01-01', '2026-01-03')).toBe(1400)
  expect(await ask(agent, '2026-02-29', '2026-03-01')).toBe(1400)
  expect(await ask(agent, '2026-01-01', '2026-01-01')).toBe(1000)
  expect(await ask(cs, '2026-01-01', '2026-01-01')).toBe(1403)
  expect(await ask(member, '2026-01-01', '2026-01-01')).toBe(1403)
})
