import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { outcomeOf } from '../../testing/outcome.ts'

// Fourteen hours ahead of UTC: counting days in UTC would miss most transfers.
const server = await startTestServer({ TIME_ZONE: 'Pacific/Kiritimati' })
const { db } = server.services

const today = async () =>
  (await one<{ day: string }>(db, sql`select (now() at time zone 'Pacific/Kiritimati')::date::text as day`))?.day ?? ''
const sr02 = async (who: Person, username = '') => {
  const day = await today()
  return who.call('report/sr02', { username, start_date: day, end_date: day })
}

test('[SR02-02] [SR02-03] [SR02-04] report/sr02 counts points given to and taken from members exactly, on the day of settlement', async () => {
  const { top, agent, cs, member } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent, points: '100' })
  const theirs = await server.person({ role: Role.member, under: sub })
  expect(await sr02(agent)).toEqual({ total: { total_in: '0.0000', total_out: '0.0000' }, data: [], days: [] })

  await agent.call('user/transaction', { id: member.id, amount: '10.0001' })
  await agent.call('user/transaction', { id: member.id, amount: '-3.0002' })
  await sub.call('user/transaction', { id: theirs.id, amount: '0.0003' })
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const offer = () => cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5' })
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
  expect(await sr02((await server.family()).agent)).toEqual({
    total: { total_in: '0.0000', total_out: '0.0000' },
    data: [],
    days: [],
  })

  // in - out equals the change of the operator's wallets: main and escrow.
  const ownedPoints = await many<{ sum: bigint }>(
    db,
    sql`select sum(balance)::bigint as sum from wallets where account_id = ${agent.id} and kind in (1, 3)`,
  )
  expect(ownedPoints[0]?.sum).toBe(10_000_000n - 1_000_000n - (150_001n - 30_002n))
})

/** The sums of the operator's transfers that the report's link finds for these days. */
const summed = async (who: Person, operator_id: number, from: string, to: string) => {
  const sums = { total_in: 0n, total_out: 0n }
  const range = { start_time: `${from} 00:00:00`, end_time: `${to} 23:59:59`, operator_id, per_page: 3 }
  for (let before: string | null | undefined; before !== null; ) {
    const page = await who.call('transaction/list', { ...range, ...(before ? { before } : {}) })
    before = page.next
    for (const { amount, type, corrects_type } of page.data) {
      const moved = (parsePoints(amount) ?? 0n) * (type === TransferKind.correction ? -1n : 1n)
      if ([2, 6].includes(corrects_type ?? type)) sums.total_out += moved
      else sums.total_in += moved
    }
  }
  return { total_in: formatPoints(sums.total_in), total_out: formatPoints(sums.total_out) }
}

test('[SR02-04] the transfers behind an operator’s row add up to the row, by day of settlement', async () => {
  const { top, agent, cs, member } = await server.family()
  const give = (amount: string) => agent.call('user/transaction', { id: member.id, amount })
  const slip = await give('2.0002')
  await give('10.0001')
  await give('-3.0003')
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const offer = async (amount: string, accept?: boolean) => {
    const { transaction_id } = await cs.call('transaction/add', {
      member_id: member.id,
      type: TransferKind.send,
      amount,
    })
    if (accept !== undefined) await member.call('envelope/answer', { transaction_id, accept })
    return transaction_id
  }
  const [late, early] = [await offer('5.0005', true), await offer('7.0007', true)]
  await offer('1', false)
  await offer('1')
  // All but one envelope are settled on the next day; that one was offered earlier.
  const past = [slip.transaction_id, early]
  const day = await today()
  await asSuperuser(async (tx) => {
    await run(
      tx,
      sql`update transfers set created_at = created_at - interval '1 day' where transaction_id = any(${[...past, late]}::uuid[])`,
    )
    await run(
      tx,
      sql`update envelopes e set settled_at = settled_at - interval '1 day' from transfers t
        where t.id = e.transfer_id and t.transaction_id = ${early}`,
    )
    await run(tx, sql`update day_totals set total_in = total_in - 90009 where account_id = ${agent.id}`)
    await run(
      tx,
      sql`insert into day_totals (account_id, day, top_id, total_in)
        values (${agent.id}, ${day}::date - 1, ${top.id}, 90009)`,
    )
  })
  await top.call('transaction/correct', { transaction_id: slip.transaction_id, remark: 'a slip' })
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
  for (const [from, to, total_in, total_out] of [
    [before, before, '9.0009', '0.0000'],
    [day, day, '13.0004', '3.0003'],
    [before, day, '22.0013', '3.0003'],
  ] as const) {
    const report = await top.call('report/sr02', { start_date: from, end_date: to })
    const cell = report.data.find(({ id }) => id === agent.id)
    expect(cell, `${from} to ${to}`).toMatchObject({ total_in, total_out })
    for (const who of [top, agent]) expect(await summed(who, agent.id, from, to)).toEqual({ total_in, total_out })
  }
})

test('[SR02-01] report/sr02 refuses a range that ends before it begins, and is for admins and agents', async () => {
  const { agent, cs, member } = await server.family()
  const ask = async (who: Person, start_date: string, end_date: string) =>
    outcomeOf(await who.ask('report/sr02', { start_date, end_date }))
  expect(await ask(agent, '2026-01-02', '2026-01-01')).toBe('report.range_invalid')
  expect(await ask(agent, '2025-01-01', '2026-01-03')).toBe('report.range_invalid')
  expect(await ask(agent, '2026-02-29', '2026-03-01')).toBe('request.invalid')
  expect(await ask(agent, '2026-01-01', '2026-01-01')).toBe('done')
  expect(await ask(cs, '2026-01-01', '2026-01-01')).toBe('access.denied')
  expect(await ask(member, '2026-01-01', '2026-01-01')).toBe('access.denied')
})
