import type { AuditKind } from '@tallyroom/contract/audit-kinds'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from './audit.ts'
import { chainPending, verifyAudit } from './audit-chain.ts'
import { connect, type Database, many, one, sql } from '../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'
import { linkAll } from '../testing/audit.ts'
import { freshDatabase, testDatabase, superuserOf } from '../testing/postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

/** The entries that an admin reads, newest first: kind, actor, target. */
const log = async (top: Person, filter: object = {}) =>
  (await top.call('audit/list', filter)).data.map((row) => [row.kind, row.actor_username, row.target_username])

describe('what is audited', () => {
  test('[S28] every kind of change of an account, with both values and without secrets', async () => {
    const { top, agent, member } = await server.family()
    const username = `a${agent.id}x`.padEnd(5, 'x').slice(0, 10)
    await agent.call('user/add', { username, password: 'secret1', password_confirmation: 'secret1' })
    await agent.call('user/edit', { id: member.id, nickname: 'Ann', withdraw_confirm: 1, status: AccountStatus.frozen })
    await agent.call('user/edit', {
      id: member.id,
      status: AccountStatus.active,
      password: 'other12',
      password_confirmation: 'other12',
    })
    await agent.call('user/edit', { id: member.id, status: AccountStatus.active, nickname: 'Ann', withdraw_confirm: 1 })
    await agent.call('user/delete', { id: member.id })
    await agent.call('user/saveAbilities', { id: member.id, is_sub: 1 })
    await agent.call('user/export', { menu_id: 13 })
    const us = [agent.username, member.username]
    expect(await log(top)).toEqual([
      ['exported', agent.username, ''],
      ['abilities_changed', ...us],
      ['account_frozen', ...us],
      ['account_unfrozen', ...us],
      ['password_changed', ...us],
      ['withdraw_confirm_changed', ...us],
      ['account_frozen', ...us],
      ['account_edited', ...us],
      ['account_added', agent.username, username],
    ])
    const { data } = await top.call('audit/list', { kind: 'account_edited' })
    expect(data[0]?.facts).toEqual([{ field: 'nickname', before: `Nick ${member.username}`, after: 'Ann' }])
    const all = JSON.stringify(await many(server.services.db, sql`select * from audit_log`), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(all).not.toMatch(/secret1|other12|argon2/)
  })

  test('[S28] changes of a remark and of the payment password', async () => {
    const { top, agent, member } = await server.family()
    const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '1', remark: 'one' })
    await agent.call('transaction/edit', { transaction_id, remark: 'two' })
    await agent.call('transaction/edit', { transaction_id, remark: 'three' })
    const edited = (await top.call('audit/list', { kind: 'remark_edited' })).data
    expect(edited.map(({ facts }) => facts.find(({ field }) => field === 'remark'))).toEqual([
      { field: 'remark', before: 'two', after: 'three' },
      { field: 'remark', before: 'one', after: 'two' },
    ])
    const pay = { password: 'secret123', payment_password: 'pay123', payment_password_confirmation: 'pay123' }
    await agent.call('user/paymentPassword', pay)
    expect(await log(top, { kind: 'payment_password_changed' })).toEqual([
      ['payment_password_changed', agent.username, agent.username],
    ])
  })

  test('[S28] a rolled-back action has no entry', async () => {
    const { top, agent, cs } = await server.family()
    const used = { username: cs.username.slice(0, 10), password: 'secret1', password_confirmation: 'secret1' }
    expect(await agent.ask('user/add', used)).toBeRefusal('account.username_taken')
    expect(await log(top)).toEqual([])
  })
})

describe('audit/list', () => {
  test('[S28] [S1] admins read entries of their own downline; accounts above stay anonymous', async () => {
    const { top, agent, cs, member } = await server.family()
    const admin = await server.person({ role: Role.admin, under: top })
    const below = await server.person({ role: Role.agent, under: admin })
    await top.call('user/edit', { id: below.id, nickname: 'x' })
    await agent.call('user/edit', { id: member.id, nickname: 'y' })
    expect(await log(admin)).toEqual([['account_edited', '', below.username]])
    expect(await log(top)).toHaveLength(2)
    expect(await log((await server.family()).top)).toEqual([])
    for (const person of [agent, cs, member]) expect(await person.ask('audit/list', {})).toBeRefusal('access.denied')
    const menu = await top.call('userMenu/list', {})
    expect(menu).toContainEqual(expect.objectContaining({ id: 20, name: 'audit', url: '/audit', action: '' }))
    expect((await agent.call('userMenu/list', {})).map(({ name }) => name)).not.toContain('audit')
  })

  test('[S28] is searched by actor, target, kind and time, page by page', async () => {
    const { top, agent, cs, member } = await server.family()
    await agent.call('user/edit', { id: member.id, nickname: 'x' })
    await agent.call('user/edit', { id: cs.id, nickname: 'y' })
    await top.call('user/delete', { id: cs.id })
    expect(await log(top, { actor: agent.username.slice(0, 6).toUpperCase() })).toHaveLength(2)
    expect(await log(top, { target: cs.username })).toHaveLength(2)
    expect(await log(top, { target: cs.username, kind: 'account_frozen' })).toHaveLength(1)
    const [day, year] = [{ start_time: '2000-01-01 00:00:00', end_time: '2000-12-31 00:00:00' }, '2001']
    expect(await log(top, day)).toEqual([])
    expect(await log(top, { start_time: `${year}-01-01 00:00:00` })).toHaveLength(3)
    const late = { start_time: '2001-01-01 00:00:00', end_time: '2000-01-01 00:00:00' }
    expect(await top.ask('audit/list', late)).toBeRefusal('report.range_invalid')
    const page = await top.call('audit/list', { page: 2, per_page: 2 })
    expect([page.data.length, page.total]).toEqual([1, 3])
  })
})

describe('the chain', () => {
  const pools: Database[] = []
  afterAll(async () => {
    for (const pool of pools) await pool.end()
  })
  const logged = async (rows: number) => {
    const config = await freshDatabase()
    const db = connect({ ...config, max: 4 })
    pools.push(db)
    const kind: AuditKind = 'account_edited'
    for (let n = 1; n <= rows; n++)
      await audit(db, { actor: { id: n, topId: 1 } }, kind, { id: n + 1, topId: 1 }, { nickname: ['old', `new ${n}`] })
    while ((await chainPending(db)) > 0);
    return { config, db }
  }

  test('[S28] the log and its chain refuse every change', async () => {
    const client = new pg.Client(superuserOf(await testDatabase()))
    await client.connect()
    const { agent, cs } = await server.family()
    await agent.call('user/edit', { id: cs.id, nickname: 'x' })
    await linkAll(server.services.db)
    for (const table of ['audit_log', 'audit_chain'])
      for (const statement of [
        `update ${table} set ${table === 'audit_log' ? "kind = ''" : 'seq = 0'}`,
        `delete from ${table}`,
        `truncate ${table}`,
      ])
        await expect(client.query(statement)).rejects.toThrow('append-only')
    await client.end()
  })

  test('[S28] several copies at once make one chain, and no row is left waiting', async () => {
    const { db } = await logged(0)
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        await audit(db, { caller: { address: '127.0.0.1' } }, 'signed_in', { id: n + 1, topId: 1 })
        await chainPending(db)
      }),
    )
    await chainPending(db)
    expect(await verifyAudit(db)).toMatchObject({ rows: 60, waiting: 0, breaches: [] })
  })

  test('[S28] finds 200 of 200 rows that were edited, removed or inserted without the trigger', async () => {
    const { config, db } = await logged(201)
    const { head, breaches } = await verifyAudit(db)
    expect(breaches).toEqual([])
    const client = new pg.Client(superuserOf(config))
    await client.connect()
    const edits = [
      (n: number) => `update audit_log set facts = '{"nickname":["old","mine"]}' where id = ${n}`,
      (n: number) => `update audit_log set at = at + interval '1 microsecond' where id = ${n}`,
      (n: number) => `update audit_log set actor_id = null where id = ${n}`,
      (n: number) => `delete from audit_log where id = ${n}`,
      (n: number) =>
        `insert into audit_log (id, top_id, kind) overriding system value values (${1000 + n}, 1, 'signed_in')`,
    ]
    let found = 0
    for (let n = 1; n <= 200; n++) {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query(edits[n % edits.length]?.(n) ?? '')
      await client.query('commit')
      const now = await verifyAudit(db)
      if (now.breaches.length === n) found++
    }
    await client.end()
    expect(found).toBe(200)
    expect((await verifyAudit(db, head)).breaches).toHaveLength(200)
    const last = await one<{ n: number }>(db, sql`select count(*)::int as n from audit_chain`)
    expect(last?.n).toBe(201)
  })

  test('[S28] a chain that was rebuilt is found by an earlier head', async () => {
    const { config, db } = await logged(5)
    const { head } = await verifyAudit(db)
    const client = new pg.Client(superuserOf(config))
    await client.connect()
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query('delete from audit_chain')
    await client.query(`update audit_log set kind = 'exported' where id = 3`)
    await client.query('insert into audit_pending select id from audit_log')
    await client.query('commit')
    await client.end()
    await chainPending(db)
    expect((await verifyAudit(db)).breaches).toEqual([])
    expect((await verifyAudit(db, head)).breaches).toEqual(['link 5 is not the one noted'])
  })
})
