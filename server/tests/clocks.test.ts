import { randomUUID } from 'node:crypto'
import { OK } from '@tallyroom/contract'
import { MessageType, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { many, one, run, sql } from '../src/data/sql.ts'
import { PASSWORD, type TestServer, startTestServer } from '../src/testing/app.ts'
import { limit, waitingFor } from '../src/testing/approvals.ts'
import { cashFamily } from '../src/testing/cash.ts'
import { browser, codeOf, withAuthenticator } from '../src/testing/sign-in.ts'
import { asSuperuser } from '../src/testing/postgres.ts'
import { outcomeOf } from '../src/testing/outcome.ts'

// Two servers on one database, whose machines' clocks are wrong by a day and jump. The database's clock is right.
let servers: [TestServer, TestServer]
beforeAll(async () => {
  servers = [await startTestServer(), await startTestServer()]
})
afterEach(() => {
  vi.useRealTimers()
})

const HOUR = 3_600_000
/** Sets the program's clock off by this many hours. */
const clockIs = (hours: number) => {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR })
}
const WRONG = [24, -24, 0, 24, -48, 1] as const

test('[R7] messages and points are in the order of their numbers, with the database’s times', async () => {
  const [server] = servers
  const { agent, cs, member, room } = await server.family()
  const began = await one<{ now: Date }>(server.services.db, sql`select clock_timestamp() as now`)
  for (const [n, hours] of WRONG.entries()) {
    clockIs(hours)
    const here = servers[n % 2] ?? server
    await here
      .here(cs)
      .call('sendMessage', { code: room, type: MessageType.text, content: `${n}`, request_id: randomUUID() })
    await here.here(agent).call('user/transaction', {
      id: member.id,
      amount: `${n + 1}`,
      remark: 'clock',
      request_id: randomUUID(),
    })
  }
  clockIs(-24)
  const { messages } = await servers[1].here(member).call('room/history', { code: room })
  const texts = messages.filter(({ type }) => type === MessageType.text).toSorted((a, b) => a.seq - b.seq)
  expect(texts.map(({ content }) => content)).toEqual(WRONG.map((_, n) => `${n}`))
  const times = await many<{ at: Date; right: boolean }>(
    server.services.db,
    sql`select m.created_at as at, m.created_at between ${began?.now} and clock_timestamp() as right
      from messages m join rooms r on r.id = m.room_id where r.code = ${room} and m.type = 1 order by m.seq`,
  )
  expect(times.map(({ right }) => right)).toEqual(WRONG.map(() => true))
  expect(times.map(({ at }) => at.getTime())).toEqual(times.map(({ at }) => at.getTime()).toSorted((a, b) => a - b))
  const moved = await many<{ amount: bigint; right: boolean }>(
    server.services.db,
    sql`select amount, created_at between ${began?.now} and clock_timestamp() as right from transfers
      where target_id = ${member.id} and remark = 'clock' order by id`,
  )
  expect(moved).toEqual(WRONG.map((_, n) => ({ amount: BigInt(n + 1) * 10_000n, right: true })))
})

test('[R7] an envelope expires by the database’s clock only', async () => {
  const [server, other] = servers
  const { cs, member } = await server.family()
  const { db } = server.services
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const offer = () => cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
  const statusOf = (id: string) =>
    one<{ status: number; hours: number }>(
      db,
      sql`select e.status, round(extract(epoch from e.expires_at - t.created_at) / 3600)::int as hours
        from envelopes e join transfers t on t.id = e.transfer_id where t.transaction_id = ${id}`,
    )
  for (const hours of [24, -24]) {
    clockIs(hours)
    const { transaction_id } = await offer()
    // Two days later by the wrong clocks: nothing may expire.
    clockIs(hours + 48)
    for (const { services: any } of servers) await any.ledger.expireDue()
    expect(await statusOf(transaction_id)).toEqual({ status: TransferStatus.pending, hours: 24 })
    const taken = await other.here(member).ask('envelope/answer', { transaction_id, accept: true })
    expect(taken.code).toBe(OK)
  }
  const late = await offer()
  await asSuperuser(async (tx) => {
    await run(tx, sql`update envelopes set expires_at = now() where status = 4 and target_id = ${member.id}`)
  })
  clockIs(-48)
  const reply = await member.ask('envelope/answer', { transaction_id: late.transaction_id, accept: true })
  expect(outcomeOf(reply)).toBe('envelope.expired')
})

test('[R7] [CASH-03] [CAPS-02] a request, its lease and an approval last by the database’s clock only', async () => {
  const [server] = servers
  const { agent, cs, taken } = await cashFamily(server)
  await limit(agent, cs, 2, { transfer: '10' })
  const id = await taken(cs)
  const jump = async (hours: number) => {
    clockIs(hours)
    for (const { services: any } of servers) await any.ledger.expireDue()
  }
  for (const hours of [48, -48]) {
    await jump(hours)
    expect((await cs.call('cash/list', { id })).data[0]).toMatchObject({ state: 'taken', taken_by: cs.id })
  }
  expect(await cs.call('cash/pay', { id, amount: '30' })).toMatchObject({ state: 'taken', approval: 1 })
  for (const hours of [48, -48]) {
    await jump(hours)
    expect(await waitingFor(cs)).toMatchObject({ state: 'waiting', cash_id: id })
  }
})

test('[R7] a session lasts by the database’s clock only', async () => {
  const [server, other] = servers
  const { agent } = await server.family()
  for (const hours of [24, 24 * 100, -24 * 100]) {
    clockIs(hours)
    for (const one of servers) expect((await one.here(agent).ask('user/view', {})).code).toBe(OK)
  }
  await run(
    server.services.db,
    sql`update sessions set expires_at = now() - interval '1 second' where account_id = ${agent.id}`,
  )
  clockIs(-24)
  const answers = await Promise.all([agent.ask('user/view', {}), other.here(agent).ask('user/view', {})])
  expect(answers.map(outcomeOf)).toEqual(['session.dead', 'session.dead'])
})

test('[R7] [S8] a code of the authenticator is checked by the database’s clock: a wrong clock helps nobody', async () => {
  const [server] = servers
  const { agent } = await server.family()
  const { secret } = await withAuthenticator(server, agent)
  for (const hours of [24, -24]) {
    const { ask } = browser(server)
    clockIs(hours)
    expect(await ask('login', { username: agent.username, password: PASSWORD })).toBeRefusal(
      'session.needs_authenticator',
    )
    const check = (code: string) => ask('googleAuth', { username: agent.username, secret: code })
    // The code of an authenticator whose clock is as wrong as the server's.
    const wrong = await check(await codeOf(server, secret, hours * 120))
    expect(wrong.code).not.toBe(OK)
    await run(server.services.db, sql`update second_factors set totp_step = 0 where account_id = ${agent.id}`)
    const right = await check(await codeOf(server, secret))
    expect(right.code).toBe(OK)
    // Accepted once, also while the clock is set to the day before.
    clockIs(-hours)
    expect((await check(await codeOf(server, secret))).code).not.toBe(OK)
  }
})
