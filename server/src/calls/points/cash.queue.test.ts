import { MessageType, Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { cashFamily } from '../../testing/cash.ts'
import { asSuperuser } from '../../testing/postgres.ts'

const server = await startTestServer()
const { db } = server.services
const row = async (viewer: Person, id: number) => (await viewer.call('cash/list', { id })).data[0]

test('[CASH-02] the queue has the oldest first, with turnover due, the last five transfers and what is unusual', async () => {
  const { agent, cs, member, account, out } = await cashFamily(server)
  const other = await server.person({ role: Role.member, under: agent })
  const { id: first } = await other.call('cash/ask', { direction: 'in', amount: '7' })
  for (const amount of ['1', '2', '1', '1', '2', '1']) {
    const { id } = await member.call('cash/ask', out(amount))
    await cs.call('cash/take', { id })
    await cs.call('cash/pay', { id, amount })
  }
  await run(db, sql`update bank_accounts set changed_at = now() - interval '5 hours' where id = ${account.id}`)
  const { id } = await member.call('cash/ask', out('5'))
  const { data } = await cs.call('cash/list', { states: ['asked', 'taken'] })
  expect(data.map((one) => one.id)).toEqual([first, id])
  expect(data[1]).toMatchObject({
    warnings: ['account_changed', 'five_times'],
    usual: '1.0000',
    turnover_due: '0.0000',
    balance: '87.0000',
    bank: 'North',
    account_no: '****5678',
  })
  expect(data[1]?.last.map(({ direction, amount }) => `${direction} ${amount}`)).toEqual([
    'out 1.0000',
    'out 2.0000',
    'out 1.0000',
    'out 1.0000',
    'out 2.0000',
  ])
  expect(await cs.call('cash/open', {})).toEqual({ open: 2, asked: 2 })
  const strangers = await cashFamily(server)
  expect((await strangers.cs.call('cash/list', {})).data).toEqual([])
  const openOf = async (member_id: number) =>
    (await cs.call('cash/list', { states: ['asked', 'taken'], member_id })).data.map((one) => one.id)
  expect([await openOf(member.id), await openOf(other.id), await openOf(cs.id)]).toEqual([[id], [first], []])
  expect((await strangers.cs.ask('cash/take', { id })).refusal).toBe('cash.not_found')
})

test('[CASH-02] the first payment out is marked', async () => {
  const { cs, asked } = await cashFamily(server)
  expect((await row(cs, await asked()))?.warnings).toEqual(['first_out'])
})

test('[CASH-02] an account with another bank or number since the request is shown as it is now, while the request is open', async () => {
  const { top, cs, member, account, asked } = await cashFamily(server)
  const id = await asked()
  expect((await row(cs, id))?.account_now).toBeUndefined()
  const { id: bank_id } = await top.call('orderType/save', { name: 'South' })
  const changed = { member_id: member.id, exist_data_id: account.id, bank_id, account_no: '87654321' }
  await cs.call('members/bank-account/create', changed)
  const kept = { bank: 'North', account_no: '****5678' }
  expect(await row(cs, id)).toMatchObject({ ...kept, account_now: { bank: 'South', account_no: '****4321' } })
  await cs.call('cash/take', { id })
  await cs.call('cash/refuse', { id, reason: 'x' })
  const ended = await row(cs, id)
  expect(ended).toMatchObject(kept)
  expect(ended?.account_now).toBeUndefined()
})

test('[CASH-02] a request waits like a message until it ends, and its room is read by people, not by the bot', async () => {
  const { agent, cs, member, asked, room } = await cashFamily(server)
  const waits = async () => (await agent.call('room/enter', { code: room })).room.waiting_since !== null
  const id = await asked()
  expect(await waits()).toBe(true)
  await cs.call('cash/take', { id })
  expect(await waits()).toBe(true)
  await cs.call('cash/refuse', { id, reason: 'x' })
  expect(await waits()).toBe(false)
  const second = await asked()
  expect(await waits()).toBe(true)
  await member.call('cash/withdraw', { id: second })
  expect(await waits()).toBe(false)
  // What was asked before it still waits.
  await member.call('sendMessage', { code: room, type: MessageType.text, content: 'hello' })
  await member.call('cash/withdraw', { id: await asked() })
  expect(await waits()).toBe(true)
})

test('[CASH-06] each number of the day equals the rows that it opens, also by person, and the file has them', async () => {
  const { top, agent, cs, member, out } = await cashFamily(server)
  const take = async (by: Person, amount: string) => {
    const { id } = await member.call('cash/ask', out(amount))
    await by.call('cash/take', { id })
    return id
  }
  await cs.call('cash/pay', { id: await take(cs, '10'), amount: '10' })
  await cs.call('cash/refuse', { id: await take(cs, '11'), reason: '=1+1' })
  await agent.call('cash/pay', { id: await take(agent, '12'), amount: '12' })
  await member.call('cash/withdraw', { id: (await member.call('cash/ask', out('13'))).id })
  await member.call('cash/ask', { direction: 'in', amount: '14' })
  const day = await agent.call('cash/day', {})
  expect(day).toMatchObject({ asked: 5, paid: 2, refused: 1, withdrawn: 1, expired: 0, open: 1, paid_out: '22.0000' })
  const count = async (filter: object) => (await agent.call('cash/list', filter)).data.length
  const ended_on = day.day
  expect(await count({ asked_on: day.day })).toBe(day.asked)
  expect(await count({ ended_on, states: ['paid'] })).toBe(day.paid)
  expect(await count({ ended_on, states: ['refused'] })).toBe(day.refused)
  expect(day.people.map(({ id, paid, refused }) => [id, paid, refused])).toEqual([
    [cs.id, 1, 1],
    [agent.id, 1, 0],
  ])
  for (const one of day.people)
    expect(await count({ ended_on, states: ['paid', 'refused'], ended_by: one.id })).toBe(one.paid + one.refused)
  // [FIND-02] Days: the first of them and the last, both included.
  const dayBefore = new Date(Date.parse(ended_on) - 24 * 3_600_000).toISOString().slice(0, 10)
  expect(await count({ asked_on: dayBefore, until: day.day })).toBe(day.asked)
  expect(await count({ ended_on: dayBefore, until: day.day, states: ['paid'] })).toBe(day.paid)
  expect(await count({ asked_on: dayBefore })).toBe(0)
  expect(await count({ asked_on: dayBefore, until: dayBefore })).toBe(0)
  expect(await agent.call('cash/day', { day: dayBefore, until: day.day })).toEqual({ ...day, day: dayBefore })
  const file = await agent.call('cash/export', { ended_on })
  expect(file.csv.trim().split('\r\n')).toHaveLength(1 + 4)
  expect(file.csv).toContain(`"'=1+1"`)
  // Times as on the screen.
  expect(file.csv).toContain(`,"${day.day} `)
  expect(file.csv).not.toMatch(/\dT\d/)
  expect((await top.call('audit/list', {})).data.map(({ kind }) => kind)).toContain('exported')
})

test('[CASH-06] median and 95th percentile are waits that occurred', async () => {
  const { agent, cs, member, out } = await cashFamily(server)
  for (let at = 0; at < 20; at++) {
    const { id } = await member.call('cash/ask', out('1'))
    await asSuperuser((tx) =>
      run(tx, sql`update cash_requests set asked_at = now() - make_interval(mins => ${at + 1}) where id = ${id}`),
    )
    await cs.call('cash/take', { id })
    await cs.call('cash/refuse', { id, reason: 'x' })
  }
  const { median, p95 } = await agent.call('cash/day', {})
  expect([median, p95].map((seconds) => Math.floor((seconds ?? 0) / 60))).toEqual([10, 19])
})

test('[S35] viewers who see usernames masked get none of them through the queue', async () => {
  const { agent, cs, member, asked } = await cashFamily(server)
  await run(db, sql`update accounts set nickname = username where id in (${member.id}, ${cs.id}, ${agent.id})`)
  const id = await asked()
  await agent.call('cash/take', { id })
  await agent.call('cash/refuse', { id, reason: `not ${member.username}` })
  await run(db, sql`update accounts set masks_usernames = 1 where id = ${cs.id}`)
  const answers = JSON.stringify([await cs.call('cash/list', {}), await cs.call('cash/day', {})])
  expect(answers).not.toContain(member.username)
  expect(answers).not.toContain(agent.username)
  expect(await one(db, sql`select 1 as found from cash_requests where id = ${id}`)).toBeDefined()
})
