import { randomUUID } from 'node:crypto'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'

const server = await startTestServer()
const { db } = server.services

const around = () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
  return { start_time: at(-3_600_000), end_time: at(3_600_000) }
}
const exported = async () =>
  (await one<{ facts: unknown }>(db, sql`select facts from audit_log where kind = 'exported' order by id desc limit 1`))
    ?.facts

test('[HIST-04] older rows continue after the last one, even when new transfers arrive', async () => {
  const { agent, member } = await server.family()
  const give = (amount: string) => agent.call('user/transaction', { id: member.id, amount })
  for (const amount of ['1', '2', '3', '4', '5']) await give(amount)
  const list = (before?: string) =>
    agent.call('transaction/list', {
      ...around(),
      username: member.username,
      per_page: 2,
      ...(before ? { before } : {}),
    })
  const seen: string[] = []
  for (let next: string | null | undefined; next !== null; ) {
    const page = await list(next)
    seen.push(...page.data.map(({ amount }) => amount))
    next = page.next
    await give('9')
  }
  expect(seen).toEqual(['5.0000', '4.0000', '3.0000', '2.0000', '1.0000'])
  expect((await list()).total).toBe(8)
  const envelopes = await agent.call('redEnvelope/record', { ...around(), per_page: 1 })
  expect([envelopes.next, envelopes.total]).toEqual([null, 0])
  for (const before of ['1', "1-1' or 1", '12345678901234567-1', '-1-1'])
    expect(await agent.ask('transaction/list', { ...around(), before })).toBeRefusal('request.invalid')
})

test('[SR02-04] the link of a report row leads to the transfers it counts', async () => {
  const { top, agent, cs, member } = await server.family()
  const other = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '10.0001' })
  await server.meetTurnover(member)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '0.0003' })
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '3' })
  const list = (who: Person) => who.call('transaction/list', { ...around(), operator_id: agent.id })
  expect((await list(agent)).data.map(({ type, amount }) => [type, amount])).toEqual([
    [2, '0.0003'],
    [1, '10.0001'],
  ])
  expect((await list(top)).data).toHaveLength(2)
  expect((await list(other.agent)).data, 'nothing of another branch’s operator').toEqual([])
})

test('[ENV-08] [HIST-03] transaction/view shows both sides, earlier remarks, and the room', async () => {
  const { agent, cs, member, top, room } = await server.family()
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const { transaction_id } = await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '4.0001',
    remark: 'first',
    code: room,
  })
  const view = (who: Person) => who.call('transaction/view', { transaction_id })
  const moves = async (who: Person) =>
    (await view(who)).postings.map((row) => [row.leg, row.username, row.wallet, row.amount, row.balance_after])
  const held = [
    [0, agent.username, 1, '-4.0001', '995.9999'],
    [0, agent.username, 3, '4.0001', '4.0001'],
  ]
  expect(await moves(agent)).toEqual(held)
  await member.call('envelope/answer', { transaction_id, accept: true })
  expect(await moves(cs)).toEqual([
    ...held,
    [1, agent.username, 3, '-4.0001', '0.0000'],
    [1, member.username, 1, '4.0001', '4.0001'],
  ])
  await cs.call('transaction/edit', { transaction_id, remark: 'second' })
  await agent.call('transaction/edit', { transaction_id, remark: 'third' })
  const seen = await view(agent)
  expect(seen.remark).toBe('third')
  expect(seen.edits.map(({ by, old_remark, remark }) => [by, old_remark, remark])).toEqual([
    [cs.username, 'first', 'second'],
    [agent.username, 'second', 'third'],
  ])
  expect(seen.room).toMatchObject({ member_id: member.id, code: room })
  expect((await view(top)).room, 'not its room').toBeNull()
})

test('the balance of a wallet above the viewer is hidden, and transfers of others do not exist', async () => {
  const { top, agent } = await server.family()
  const stranger = (await server.family()).agent
  const given = await top.call('user/transaction', { id: agent.id, amount: '5' })
  const ask = (who: Person) => who.ask('transaction/view', { transaction_id: given.transaction_id })
  const { postings } = await agent.call('transaction/view', { transaction_id: given.transaction_id })
  expect(postings.map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
    ['-5.0000', null],
    ['5.0000', '1005.0000'],
  ])
  const [foreign, absent] = [
    await ask(stranger),
    await stranger.ask('transaction/view', { transaction_id: randomUUID() }),
  ]
  expect(foreign).toBeRefusal('transfer.not_found')
  expect(foreign).toEqual(absent)
})

test('[S31] [S28] transaction/export and report/sr02Export are audited, and no cell is a formula', async () => {
  const { agent, cs, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '2', remark: '=HYPERLINK("http://x")' })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '3', remark: '@sum(A1)' })
  const all = await agent.call('transaction/export', { ...around(), username: member.username })
  expect(all.name).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/)
  expect(all.csv.split('\r\n').filter(Boolean)).toHaveLength(3)
  expect(all.csv).toContain('"\'=HYPERLINK(""http://x"")"')
  expect(all.csv).toContain('"\'@sum(A1)"')
  expect(all.cut).toBe(false)
  expect(await exported()).toEqual({ what: 'transactions', rows: 2 })
  const envelopes = await agent.call('transaction/export', { ...around(), kind: 2 })
  expect(envelopes.csv).toContain('"3.0000"')
  expect(envelopes.csv).not.toContain('"2.0000"')
  expect(await exported()).toEqual({ what: 'envelopes', rows: 1 })
  expect(envelopes.csv, 'ENV-08: as the record calls it').toContain('"Received","Finished"')
  const day = around().start_time.slice(0, 10)
  const last = around().end_time.slice(0, 10)
  const report = await agent.call('report/sr02Export', { start_date: day, end_date: last })
  expect(report.csv).toContain(`"${agent.username}","5.0000","0.0000","5.0000"`)
  expect(report.name).toBe(`sr02-${day}-${last}.csv`)
  expect(await exported()).toEqual({ what: 'sr02', rows: 1 })
  expect(await cs.ask('transaction/export', around())).toBeRefusal('access.denied')
  expect(
    await agent.ask('transaction/export', { start_time: around().end_time, end_time: around().start_time }),
  ).toBeRefusal('report.range_invalid')
})

test('[TRF-12] report/reconciliation shows who holds how many points, and report/check finds what does not add up', async () => {
  const { top, agent, member, cs } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '10.5' })
  await server.meetTurnover(member)
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '2' })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '1' })
  const seen = await top.call('report/reconciliation', {})
  expect(seen).toMatchObject({ held: '1000.0000', owed: '-1000.0000', difference: '0.0000' })
  expect(seen.roles.map(({ role_id, main, escrow }) => [role_id, main, escrow])).toEqual([
    [0, '0.0000', '0.0000'],
    [1, '-1000.0000', '0.0000'],
    [2, '987.5000', '2.0000'],
    [3, '0.0000', '0.0000'],
    [4, '10.5000', '0.0000'],
  ])
  expect(seen.holders.map(({ username, main }) => [username, main])).toEqual([
    [agent.username, '987.5000'],
    [member.username, '10.5000'],
  ])
  expect(seen.open).toEqual({ offers: 1, held: '2.0000', requests: 1, asked: '1.0000' })
  const checked = await top.call('report/check', {})
  expect(checked.by).toBe(top.username)
  expect(checked.findings.every(({ breaches }) => breaches.length === 0)).toBe(true)
  await run(db, sql`update wallets set balance = balance + 1 where account_id = ${member.id} and kind = 1`)
  const ill = await top.call('report/check', {})
  expect(ill.findings.filter(({ breaches }) => breaches.length).length).toBeGreaterThan(1)
  const after = await top.call('report/reconciliation', {})
  expect(after.difference).toBe('0.0001')
  expect(after.last).toEqual(ill)
  const elsewhere = await server.family()
  const broken = (found: typeof ill) => found.findings.flatMap(({ rule, breaches }) => (breaches.length ? [rule] : []))
  expect(broken(await elsewhere.top.call('report/check', {})), 'breaches of another top account are hidden').toEqual([])
  const lastCheck = (await top.call('report/reconciliation', {})).last
  expect(lastCheck && broken(lastCheck)).toEqual(broken(ill))
  expect(lastCheck?.findings.find(({ rule }) => rule === 'sum_zero')?.breaches).toEqual(['they hold 1'])
  await run(db, sql`update wallets set balance = balance - 1 where account_id = ${member.id} and kind = 1`)
  expect(await agent.ask('report/reconciliation', {})).toBeRefusal('access.denied')
  expect(await agent.ask('report/check', {})).toBeRefusal('access.denied')
})

test('[TRF-12] [S1] an admin below the top account sees the sums of its own downline only', async () => {
  const { top, agent, member } = await server.family()
  const admin = await server.person({ role: Role.admin, under: top, unlimited: true })
  const empty = await server.person({ role: Role.admin, under: top })
  const below = await server.person({ role: Role.agent, under: admin, points: '30' })
  const theirs = await server.person({ role: Role.member, under: below })
  await below.call('user/transaction', { id: theirs.id, amount: '5' })
  for (const [giver, taker] of [
    [agent, member],
    [below, theirs],
  ] as const) {
    await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${taker.id}`)
    await giver.call('transaction/add', { member_id: taker.id, type: TransferKind.send, amount: '2' })
  }
  const seen = await admin.call('report/reconciliation', {})
  expect(seen).toMatchObject({ whole: false, held: '30.0000', last: null })
  expect(seen.roles.map(({ role_id, accounts, main, escrow }) => [role_id, accounts, main, escrow])).toEqual([
    [1, 1, '-30.0000', '0.0000'],
    [2, 1, '23.0000', '2.0000'],
    [4, 1, '5.0000', '0.0000'],
  ])
  expect(seen.holders.map(({ username }) => username)).toEqual([below.username, theirs.username])
  expect(seen.open).toEqual({ offers: 1, held: '2.0000', requests: 0, asked: '0.0000' })
  expect(await empty.call('report/reconciliation', {})).toMatchObject({ held: '0.0000', owed: '0.0000', holders: [] })
  for (const one of [admin, empty]) expect(await one.ask('report/check', {})).toBeRefusal('access.denied')
  expect(await top.call('report/reconciliation', {})).toMatchObject({ whole: true, difference: '0.0000' })
})
