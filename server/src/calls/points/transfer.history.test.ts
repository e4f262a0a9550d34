import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const server = await startTestServer()
const { db } = server.services

/** The platform's time, an hour before and after now. */
const around = () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
  return { username: '', start_time: at(-3_600_000), end_time: at(3_600_000) }
}

test('[HIST-01] [HIST-03] transaction/list shows the transfers of visible accounts, newest first', async () => {
  const { top, agent, cs, member } = await server.family()
  const other = await server.family()
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await agent.call('user/transaction', { id: member.id, amount: '7', remark: 'plain' })
  const offered = await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '3' })
  const list = async (who: Person, username = '') =>
    (await who.call('transaction/list', { ...around(), username })).data
  expect(
    (await list(agent, member.username)).map((row) => [
      row.type,
      row.envelope,
      row.amount,
      row.status,
      row.user_username,
      row.balance,
    ]),
  ).toEqual([
    [1, 1, '3.0000', 4, cs.username, null],
    [1, 0, '7.0000', 1, agent.username, '7.0000'],
  ])
  const pending = (await list(agent))[0]
  expect(pending).toMatchObject({
    transaction_id: offered.transaction_id,
    settled_at: null,
    member_nickname: `Nick ${member.username}`,
  })
  expect(pending?.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  await member.call('envelope/answer', { transaction_id: offered.transaction_id, accept: true })
  expect((await list(agent))[0]).toMatchObject({ status: TransferStatus.success, balance: '10.0000' })
  expect(await list(agent), 'with what it received').toHaveLength(3)
  expect(await list(top)).toHaveLength(3)
  expect(await list(cs)).toHaveLength(2)
  expect(
    await list(agent, cs.username.toUpperCase().slice(1)),
    'a part of the operator’s name, in capitals',
  ).toHaveLength(1)
  expect(await list(agent, '%')).toEqual([])
  expect(await list(other.agent, member.username)).toEqual([])
  const own = await list(member)
  expect(
    own.map((row) => row.user_username),
    'a member sees its group’s name, not the colleague’s',
  ).toEqual(Array(2).fill(`Nick ${agent.username}`))
})

test('[HIST-03] redEnvelope/record shows the envelopes from the viewer’s side', async () => {
  const { agent, cs, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '7' })
  await server.meetTurnover(member)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '2', remark: 'back' })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
  const record = async (who: Person) =>
    (await who.call('redEnvelope/record', around())).data.map((row) => [
      row.type,
      row.self_username,
      row.other_username,
      row.amount,
      row.status,
    ])
  expect(await record(agent)).toEqual([
    [1, cs.username, member.username, '1.0000', 1],
    [2, cs.username, member.username, '2.0000', 1],
  ])
  const group = `Nick ${agent.username}`
  expect(await record(member)).toEqual([
    [2, member.username, group, '1.0000', 1],
    [1, member.username, group, '2.0000', 1],
  ])
})

test('[HIST-04] all pages can be reached, and the range is checked', async () => {
  const { agent, member } = await server.family()
  for (let i = 1; i <= 5; i++) await agent.call('user/transaction', { id: member.id, amount: String(i) })
  const pageOf = (page: number) =>
    agent.call('transaction/list', { ...around(), username: member.username, page, per_page: 2 })
  const pages = [await pageOf(1), await pageOf(2), await pageOf(3), await pageOf(4)]
  expect(pages.map(({ data }) => data.map(({ amount }) => amount))).toEqual([
    ['5.0000', '4.0000'],
    ['3.0000', '2.0000'],
    ['1.0000'],
    [],
  ])
  expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5])
  const range = (start_time: string, end_time: string) =>
    agent.ask('transaction/list', { start_time, end_time }).then(outcomeOf)
  expect(await range('2026-01-02 00:00:00', '2026-01-01 00:00:00')).toBe('report.range_invalid')
  expect(await range('2025-01-01 00:00:00', '2026-01-03 00:00:00')).toBe('report.range_invalid')
  expect(await range('2026-02-30 00:00:00', '2026-03-01 00:00:00')).toBe('request.invalid')
  expect(await range('0000-01-01 00:00:00', '0000-01-02 00:00:00')).toBe('request.invalid')
  expect(await range('2025-01-01 00:00:00', '2026-01-02 00:00:00')).toBe('done')
  expect(await agent.ask('transaction/list', { ...around(), per_page: 1001 })).toBeRefusal('request.invalid')
  expect(
    await agent.ask('redEnvelope/record', { start_time: '2026-01-02 00:00:00', end_time: '2026-01-01 00:00:00' }),
  ).toBeRefusal('report.range_invalid')
})

test('[HIST-01] [SR02-04] finds the same in a downline of thirty or of thousands as in a small one', async () => {
  const { top, agent, cs, member } = await server.family()
  const other = await server.family()
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await agent.call('user/transaction', { id: member.id, amount: '7' })
  const { transaction_id } = await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '3',
  })
  await member.call('envelope/answer', { transaction_id, accept: true })
  await other.agent.call('user/transaction', { id: other.member.id, amount: '9' })

  const day = new Date().toISOString().slice(0, 10)
  const found = async () => {
    const lists = [agent, cs, member, other.agent].flatMap((who) => [
      who.call('transaction/list', around()),
      who.call('redEnvelope/record', around()),
      who.call('transaction/list', { ...around(), username: member.username }),
      who.call('transaction/list', { ...around(), username: cs.username.slice(1) }),
      // First part of one name, then of all others.
      who.call('transaction/list', { ...around(), username: member.username.slice(0, 6) }),
      who.call('transaction/list', { ...around(), operator_id: agent.id }),
      who.call('transaction/list', { ...around(), operator_id: agent.id, username: member.username }),
    ])
    const reports = [agent, other.agent, top].map((who) =>
      who.call('report/sr02', { username: '', start_date: day, end_date: day }),
    )
    return JSON.stringify([await Promise.all(lists), await Promise.all(reports)])
  }
  const join = (members: number) =>
    run(
      db,
      sql`with made as (select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id
          from generate_series(1, ${members}::int))
        insert into accounts (id, top_id, parent_id, group_id, path, role_id, username, nickname, password_hash, share_code)
        select m.id, a.top_id, a.id, a.id, a.path || m.id || '/', 4, ${member.username.slice(0, 6)}::text || 'x' || m.id, '', '!', 'share' || m.id
        from accounts a cross join made m where a.id = ${agent.id}`,
    )
  const before = await found()
  await join(30)
  expect(await found()).toBe(before)
  await join(2000)
  expect(await found()).toBe(before)
})
