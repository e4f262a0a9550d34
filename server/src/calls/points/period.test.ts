import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { closedUntil } from '../../ledger/read/closed.ts'
import { startTestServer } from '../../testing/app.ts'
import { asSuperuser } from '../../testing/postgres.ts'

// Fourteen hours ahead of UTC: counting days in UTC would close most movements a day early.
const server = await startTestServer({ TIME_ZONE: 'Pacific/Kiritimati' })
const { db } = server.services

const dayOf = (days: number) => new Date(Date.now() + (14 + days * 24) * 3_600_000).toISOString().slice(0, 10)
const days = (from: number, to: number) => ({ start_date: dayOf(from), end_date: dayOf(to) })
/** What happened so far becomes a day older. */
const nextDay = () =>
  asSuperuser(async (tx) => {
    await run(tx, sql`update postings set created_at = created_at - interval '1 day'`)
    await run(tx, sql`update transfers set created_at = created_at - interval '1 day'`)
    await run(tx, sql`update envelopes set settled_at = settled_at - interval '1 day'`)
    await run(tx, sql`delete from posting_marks`)
  })

test('[BOOK-02] the closing of a period is the opening of the next, and what comes later is in the next', async () => {
  const { top, agent, member } = await server.family()
  const given = await agent.call('user/transaction', { id: member.id, amount: '10', remark: 'first' })
  await nextDay()
  expect(await agent.call('period/list', {})).toEqual({ data: [], next_start: null })
  await agent.call('user/transaction', { id: member.id, amount: '1' })
  const { id } = await agent.call('period/close', days(-3, -1))
  const { data, next_start } = await agent.call('period/list', {})
  expect(data).toMatchObject([
    { id, ...days(-3, -1), closed_by: agent.username, opening: '0.0000', closing: '1000.0000', accounts: 2 },
  ])
  expect(next_start).toBe(dayOf(0))
  const next = await agent.call('statement/view', { scope: 'branch', ...days(0, 0) })
  expect(next).toMatchObject({ opening: '1000.0000', closed_until: dayOf(-1) })
  expect(await closedUntil(db, member.id)).toBe(dayOf(-1))
  expect(await closedUntil(db, top.id)).toBe(null)

  // A correction of a closed transfer is a movement of today.
  await top.call('transaction/correct', { transaction_id: given.transaction_id, remark: 'a slip' })
  const closed = await agent.call('statement/view', { scope: 'branch', ...days(-3, -1) })
  expect(closed.closing).toBe('1000.0000')
  const { data: lines } = await agent.call('statement/lines', { id: member.id, ...days(0, 0) })
  expect(lines.map(({ amount, type }) => [type, amount])).toEqual([
    [1, '1.0000'],
    [10, '-10.0000'],
  ])
  const edit = { transaction_id: given.transaction_id, remark: 'second' }
  expect((await agent.ask('transaction/edit', edit)).refusal).toBe('transfer.period_closed')
  const { findings } = await top.call('report/check', {})
  expect(findings.find(({ rule }) => rule === 'periods')?.breaches).toEqual([])
})

test('[BOOK-02] overlapping, unfinished, reversed and too long periods, and a gap, are refused in words', async () => {
  const { agent } = await server.family()
  const ask = async (from: number, to: number) => (await agent.ask('period/close', days(from, to))).refusal
  expect(await ask(-3, 0)).toBe('period.not_over')
  expect(await ask(1, 2)).toBe('period.not_over')
  expect(await ask(-1, -2)).toBe('report.range_invalid')
  expect(await ask(-3652, -1)).toBe('report.range_invalid')
  await agent.call('period/close', days(-5, -4))
  for (const [from, to] of [
    [-5, -4],
    [-9, -2],
    [-4, -1],
  ] as const)
    expect(await agent.ask('period/close', days(from, to))).toMatchObject({
      refusal: 'period.overlaps',
      data: { day: dayOf(-4) },
      message: expect.stringContaining(`${dayOf(-4)} and all days before it`),
    })
  expect(await agent.ask('period/close', days(-2, -1))).toMatchObject({
    refusal: 'period.gap',
    data: { day: dayOf(-3) },
  })
  // The same request again closes nothing more; of several at once one closes.
  const closing = { ...days(-3, -3), request_id: crypto.randomUUID() }
  const first = await agent.call('period/close', closing)
  expect(await agent.call('period/close', closing)).toEqual(first)
  const replies = await Promise.all([1, 2, 3].map(() => agent.ask('period/close', days(-2, -1))))
  expect(replies.map(({ refusal }) => refusal ?? 'closed').toSorted()).toEqual([
    'closed',
    'period.overlaps',
    'period.overlaps',
  ])
})

test('[BOOK-02] what upline and downline owe each other for the period is settled once, by the upline', async () => {
  const { top, agent } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent, points: '100' })
  const other = await server.person({ role: Role.agent, under: agent, points: '7' })
  const member = await server.person({ role: Role.member, under: sub })
  await sub.call('user/transaction', { id: member.id, amount: '60' })
  await agent.call('user/transaction', { id: sub.id, amount: '-30' })
  await agent.call('user/transaction', { id: other.id, amount: '-7' })
  await nextDay()
  await agent.call('user/transaction', { id: sub.id, amount: '5' })
  await agent.call('period/close', days(-1, -1))
  const { data } = await agent.call('settlement/list', {})
  expect(data).toMatchObject([
    {
      amount: '70.0000',
      state: 'open',
      own: 1,
      upline: { username: agent.username },
      downline: { username: sub.username },
    },
  ])
  const id = data[0]?.id ?? 0
  expect((await sub.call('settlement/list', {})).data).toMatchObject([{ id, own: 0, state: 'open' }])
  for (const who of [sub, other, top])
    expect((await who.ask('settlement/settle', { id })).refusal).toBe('settlement.not_found')
  await agent.call('settlement/settle', { id, remark: 'cash' })
  expect((await agent.ask('settlement/settle', { id })).refusal).toBe('settlement.already_settled')
  expect((await sub.call('settlement/list', {})).data).toMatchObject([{ state: 'settled', remark: 'cash' }])
  const kept = await many<{ kind: string }>(
    db,
    sql`select kind from audit_log where actor_id = ${agent.id} and kind in ('period_closed', 'settlement_settled') order by id`,
  )
  expect(kept.map(({ kind }) => kind)).toEqual(['period_closed', 'settlement_settled'])
})

test('[BOOK-02] a closed period keeps the old place of an account that was moved', async () => {
  const { top, agent, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '10' })
  await nextDay()
  await agent.call('period/close', days(-1, -1))
  const other = await server.person({ role: Role.agent, under: top })
  await run(
    db,
    sql`update accounts set parent_id = ${other.id}, group_id = ${other.id},
      path = (select path from accounts where id = ${other.id}) || id || '/' where id = ${member.id}`,
  )
  const branch = { scope: 'branch', ...days(-1, -1) } as const
  expect(await agent.call('statement/view', branch)).toMatchObject({ closing: '1000.0000', accounts: 2 })
  expect((await agent.call('statement/lines', branch)).data).toHaveLength(3)
  expect(await agent.call('statement/view', { scope: 'direct', ...days(-1, -1) })).toMatchObject({ closing: '10.0000' })
  expect(await agent.call('statement/view', { scope: 'branch', ...days(0, 0) })).toMatchObject({ opening: '990.0000' })
  expect((await agent.ask('statement/view', { id: member.id, ...days(-1, -1) })).refusal).toBe('account.not_found')
})

test('[BOOK-02] nothing is written into a closed period: not with the clock set back, nor by changing its rows', async () => {
  const { top, agent, member } = await server.family()
  const before = await one<{ n: number }>(db, sql`select count(*)::int as n from transfers`)
  // A clock that was set back is one that stands before the end of a closed period.
  const period = sql`insert into closed_periods (top_id, account_id, start_date, end_date, starts_at, ends_at, closed_at, closed_by)
    values (${top.id}, ${agent.id}, '2020-01-01', '2099-01-01', '2020-01-01', '2099-01-01', '2099-01-02', ${agent.id})`
  await asSuperuser((tx) => run(tx, period))
  expect((await agent.ask('user/transaction', { id: member.id, amount: '1' })).refusal).toBe('server.failed')
  expect(await one(db, sql`select count(*)::int as n from transfers`)).toEqual(before)
  await asSuperuser((tx) => run(tx, sql`delete from closed_periods where ends_at > now()`))
  await agent.call('user/transaction', { id: member.id, amount: '1' })
  await nextDay()
  await agent.call('period/close', days(-1, -1))
  for (const statement of [
    sql`update closed_periods set end_date = end_date`,
    sql`delete from closed_balances`,
    sql`update settlements set amount = amount + 1`,
  ])
    await expect(run(db, statement)).rejects.toThrow(/permission denied|append-only|ends once/)
  const overlapping = sql`insert into closed_periods (top_id, account_id, start_date, end_date, starts_at, ends_at, closed_by)
    select top_id, account_id, start_date - 1, end_date, starts_at - interval '1 hour', ends_at - interval '1 hour', closed_by
    from closed_periods where account_id = ${agent.id}`
  await expect(run(db, overlapping)).rejects.toThrow(/begins where the last closed one ended/)
})
