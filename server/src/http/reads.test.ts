import { randomUUID } from 'node:crypto'
import { connect as connectTo, type Socket } from 'node:net'
import { MessageType } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { handlers } from '../calls/index.ts'
import { many, one, run, sql, withConnection } from '../data/sql.ts'
import { withStatementTimeout } from '../data/access.ts'
import { platform } from '../testing/fakes/platform.ts'
import { PASSWORD, type TestServer, startTestServer } from '../testing/app.ts'
import { superuserOf, testDatabase } from '../testing/postgres.ts'
import { bare } from '../testing/sign-in.ts'

let server: TestServer
let family: Awaited<ReturnType<TestServer['family']>>
beforeAll(async () => {
  server = await startTestServer({ READ_SECONDS: '1' })
  family = await server.family()
})

const dayFromNow = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)} 00:00:00`
const range = { start_time: dayFromNow(-30), end_time: dayFromNow(1) }

/** Holds reads and writes of a table as a slow query would, until the returned function is called. */
const lockTable = async (table: string) => {
  let release = () => {}
  let setLocked = () => {}
  const locked = new Promise<void>((resolve) => (setLocked = resolve))
  const done = withConnection({ ...superuserOf(await testDatabase()), max: 1 }, (db) =>
    db.transact(async (tx) => {
      await tx.query(`lock table ${table} in access exclusive mode`, [])
      setLocked()
      await new Promise<void>((resolve) => (release = resolve))
    }),
  )
  await locked
  const end = async () => {
    release()
    await done
  }
  onTestFinished(end)
  return end
}
const used = () => server.services.reads.connections().used
const crowd = <T>(many_: number, work: () => Promise<T>) => Array.from({ length: many_ }, work)

describe('[S29] reads of one account', () => {
  test('hold three connections of those for reads, and none of those for writes and sessions', async () => {
    const { agent, cs, member, room } = family
    const end = await lockTable('transfers')
    const slow = crowd(16, () => cs.ask('transaction/list', range))
    await expect.poll(used).toBe(3)
    // Others read, write and sign in meanwhile, as does the account itself.
    expect((await agent.call('room/list', {})).data).toHaveLength(1)
    await member.call('sendMessage', { code: room, type: MessageType.text, content: 'hello', request_id: randomUUID() })
    await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'hello', request_id: randomUUID() })
    expect((await bare(server)('login', { username: agent.username, password: PASSWORD })).code).toBe(OK)
    expect(used()).toBeLessThanOrEqual(3)
    expect(server.services.db.connections().waiting).toBe(0)
    await end()
    for (const { code, refusal } of await Promise.all(slow))
      expect(code === OK || refusal === 'request.too_slow').toBe(true)
  })

  test('that may read very many rows run one at a time, two of all accounts', async () => {
    const people = await Promise.all(crowd(4, () => server.family()))
    const end = await lockTable('transfers')
    const exports = people.flatMap(({ agent }) => crowd(3, () => agent.ask('transaction/export', range)))
    await expect.poll(used).toBe(2)
    expect((await family.agent.call('room/list', {})).data).toHaveLength(1)
    expect(used()).toBe(2)
    await end()
    for (const { code } of await Promise.all(exports)) expect(code).toBe(OK)
  })

  test('end after READ_SECONDS with a refusal that says what to do, also over the member API', async () => {
    const api = await platform(server, family.top)
    const end = await lockTable('transfers')
    const reply = await family.cs.ask('transaction/list', range)
    expect(reply).toMatchObject({
      code: errors['request.too_slow'],
      refusal: 'request.too_slow',
      message: expect.stringContaining('shorter'),
    })
    await end()
    const endOther = await lockTable('wallets')
    const { reply: other } = await api.post('balance/list', { usernames: [family.member.username] })
    expect(other).toMatchObject({ code: errors['request.too_slow'], refusal: 'request.too_slow' })
    await endOther()
    expect((await family.cs.ask('transaction/list', range)).code).toBe(OK)
  })

  test('whose client has left while they waited are not made', async () => {
    const { cs } = family
    const end = await lockTable('transfers')
    const made = vi.spyOn(handlers as unknown as Record<string, () => Promise<unknown>>, 'search/accounts')
    onTestFinished(() => made.mockRestore())
    const sockets = new Set<Socket>()
    const follow = (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    const slow = crowd(3, () => cs.ask('transaction/list', range))
    await expect.poll(used).toBe(3)
    server.app.server.on('connection', follow)
    onTestFinished(() => void server.app.server.off('connection', follow))
    const left = connectTo(Number(new URL(server.address).port), '127.0.0.1')
    const body = JSON.stringify(server.wire.seal('search/accounts', { text: 'unheard of' }))
    left.write(
      `POST /api/search/accounts HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer ${cs.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(() => sockets.size).toBe(1)
    await expect.poll(() => server.services.db.connections().used).toBe(0)
    left.destroy()
    await expect.poll(() => sockets.size).toBe(0)
    await end()
    await Promise.all(slow)
    await cs.call('room/list', {})
    expect(made).not.toHaveBeenCalled()
  })

  test('through a pooler each statement says its limit itself', async () => {
    const limited = withStatementTimeout(server.services.db, 50)
    const end = await lockTable('notes')
    await expect(many(limited, sql`select count(*) from notes`)).rejects.toMatchObject({ code: '57014' })
    await expect(limited.transact((tx) => run(tx, sql`select count(*) from notes`))).rejects.toMatchObject({
      code: '57014',
    })
    await end()
    expect(await many(limited, sql`select count(*)::int as n from notes`)).toEqual([{ n: 0 }])
    // The connection keeps nothing of it.
    expect(await one(server.services.db, sql`select current_setting('statement_timeout') as at`)).toEqual({ at: '0' })
  })
})

test('[S29] a page is asked for up to 50,000 rows, however many a page has', async () => {
  const { agent, cs } = family
  expect((await agent.ask('user/list', { page: 1, per_page: 50_000 })).code).toBe(OK)
  expect((await cs.ask('transaction/list', { ...range, page: 50, per_page: 1000 })).code).toBe(OK)
  for (const [page, per_page] of [
    [51, 1000],
    [1000, 1000],
    [1_000_000, 1],
  ] as const)
    expect(await cs.ask('transaction/list', { ...range, page, per_page })).toMatchObject({
      refusal: 'request.invalid',
      data: { field: 'page' },
    })
  expect(await agent.ask('user/list', { page: 2, per_page: 50_000 })).toBeRefusal('request.invalid')
})

test('[S13] an account has at most 50 sessions: the one used longest ago ends', async () => {
  const { agent } = await server.family()
  const { db } = server.services
  // Beside the person's own session 49 that were used later.
  await run(
    db,
    sql`insert into sessions (account_id, token_hash, face, agent_login, by_token, user_agent, address, idle_minutes, expires_at, seen_at)
      select ${agent.id}, sha256(n::text::bytea), 'office', false, false, '', '', 30, now() + interval '1 hour', now() + interval '1 minute'
      from generate_series(1, 49) n`,
  )
  const socket = await agent.socket()
  const ended = new Promise((resolve) => socket.once('ended', resolve))
  const open = () =>
    one(db, sql`select count(*)::int as n from sessions where account_id = ${agent.id} and ended_at is null`)
  expect(await open()).toEqual({ n: 50 })
  expect((await bare(server)('login', { username: agent.username, password: PASSWORD })).code).toBe(OK)
  expect(await open()).toEqual({ n: 50 })
  expect(await ended).toEqual({ reason: 'ended' })
  expect(await agent.ask('user/view', {})).toBeRefusal('session.dead')
})
