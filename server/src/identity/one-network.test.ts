import { randomBytes, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { OK } from '@tallyroom/contract'
import argon2 from '@node-rs/argon2'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { run, sql } from '../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../testing/app.ts'
import { bare, caughtSms, minutesPass } from '../testing/sign-in.ts'
import { outcomeOf } from '../testing/outcome.ts'

const crowd = <T>(many: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: many }, (_, at) => work(at)))
const inNetwork6 = () => `2001:db8:1:1:${[1, 2, 3, 4].map(() => randomBytes(2).toString('hex')).join(':')}`
const otherNetwork = (n: number) => `2001:db8:2:${n.toString(16)}::1`
const chosen = { new_password: 'mine123', new_password_confirmation: 'mine123' }

describe('[S29] a network counts as one address', () => {
  let server: TestServer
  beforeAll(async () => {
    const rates = { OPEN_CALLS_PER_SECOND: '1', CALLS_PER_SECOND_OF_ADDRESS: '4' }
    server = await startTestServer({ TRUSTED_PROXIES: '1', CALL_LIMITS: 'on', ...rates })
    // The clock stands, so no bucket is refilled while the calls are made.
    vi.useFakeTimers({ toFake: ['performance'] })
    return () => void vi.useRealTimers()
  })
  const open = async (from: string) => {
    const body = server.wire.seal('member/invitation', { share_code: 'x' })
    return (await server.post('member/invitation', body, { 'x-forwarded-for': from })).status
  }
  const post = (path: string) => async (from: string) =>
    (await fetch(server.address + path, { method: 'POST', headers: { 'x-forwarded-for': from } })).status

  test.each([
    ['calls without a session', open, 12],
    ['parts of uploads', post('/upload/x'), 20],
    ['calls of the member API', post('/member-api/v1/balance/list'), 20],
  ])('%s', async (_, ask, most) => {
    const passed = async (from: (n: number) => string) => {
      vi.advanceTimersByTime(3_600_000)
      return (await crowd(200, (n) => ask(from(n)))).filter((status) => status !== 429).length
    }
    expect(await passed(() => '203.0.113.9')).toBe(most)
    expect(await passed(inNetwork6)).toBe(most)
    // An address in its IPv6 form is no second one.
    expect(await passed((n) => (n % 2 ? '203.0.113.9' : '::ffff:203.0.113.9'))).toBe(most)
    expect(await passed(otherNetwork)).toBe(200)
  })
})

describe('[S9] nothing is hashed before it is counted', () => {
  let server: TestServer
  let agent: Person
  let member: Person
  beforeAll(async () => {
    // Calls are counted by the network of the test, so all of these rates are high; tries are counted.
    server = await startTestServer({
      CALL_LIMITS: 'on',
      OPEN_CALLS_PER_SECOND: '100000',
      SMS_URL: 'https://sms.example',
    })
    ;({ agent, member } = await server.family())
  })
  beforeEach(() => run(server.services.db, sql`delete from sign_in_tries`))
  const counted = () => {
    const spies = [vi.spyOn(argon2, 'hash'), vi.spyOn(argon2, 'verify')]
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
    return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  }

  test('wrong codes of a forgotten password, throttled or not', async () => {
    const hashes = counted()
    const replies = await crowd(60, (n) =>
      bare(server)('recovery/finish', {
        username: n % 2 ? member.username : `n${n}`,
        face: 'member',
        code: '0',
        ...chosen,
      }),
    )
    expect(new Set(replies.map(({ refusal }) => refusal))).toEqual(new Set(['recovery.wrong', 'request.too_often']))
    expect(hashes()).toBe(0)
  })

  test('passkeys for a forgotten password count, whether there is such a challenge or not', async () => {
    const hashes = counted()
    const data = Buffer.from(JSON.stringify({ challenge: 'x'.repeat(43), crossOrigin: false })).toString('base64url')
    const ask = async (id: string) => {
      const response = { clientDataJSON: data, authenticatorData: 'x', signature: 'x' }
      const passkey = { id, rawId: id, type: 'public-key' as const, response }
      return (await bare(server)('recovery/finishPasskey', { passkey, face: 'member', ...chosen })).refusal
    }
    const ofOne = await crowd(10, () => ask('mine'))
    expect(ofOne.filter((refusal) => refusal === 'passkey.too_late')).toHaveLength(5)
    expect(ofOne.filter((refusal) => refusal === 'request.too_often')).toHaveLength(5)
    const ofNetwork = await crowd(40, (n) => ask(`key${n}`))
    expect(ofNetwork.filter((refusal) => refusal === 'passkey.too_late').length).toBeLessThanOrEqual(20)
    expect(hashes()).toBe(0)
  })

  test('a repeated sign-up', async () => {
    const { share_code } = await agent.call('user/view', {})
    const form = { share_code, username: `m${randomBytes(4).toString('hex')}`, password: 'secret1' }
    const input = { ...form, password_confirmation: 'secret1', request_id: randomUUID() }
    expect((await bare(server)('member/signup', input)).code).toBe(OK)
    const hashes = counted()
    const replies = await crowd(40, () => bare(server)('member/signup', input))
    expect(replies.filter(({ code }) => code === OK)).toHaveLength(5)
    expect(hashes()).toBe(5)
  })

  test('[TRF-06] payment passwords', async () => {
    const payment_password = 'pay1234'
    const own = { payment_password, payment_password_confirmation: payment_password }
    await agent.call('user/paymentPassword', { password: PASSWORD, ...own })
    const hashes = counted()
    const give = { id: member.id, amount: '1', remark: '', payment_password: 'wrong12' }
    const replies = await crowd(30, () => agent.ask('user/transaction', { ...give, request_id: randomUUID() }))
    expect(replies.filter(({ refusal }) => refusal === 'transfer.wrong_payment_password')).toHaveLength(4)
    expect(hashes()).toBe(5)
  })
})

describe('[S29] a sign-in does not wait behind hashes of strangers', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ TRUSTED_PROXIES: '1', SMS_URL: 'https://sms.example' })
  })
  const login = (username: string, from: string, password = PASSWORD) =>
    server.post('login', server.wire.seal('login', { username, password }), { 'x-forwarded-for': from })

  test('not behind new passwords in place of forgotten ones', async () => {
    const people = await crowd(6, async () => (await server.family()).member)
    const { agent } = await server.family()
    const codes: string[] = []
    for (const member of people) {
      const sms = caughtSms(server)
      await member.call('recovery/sendCode', { mobile: '+886911222333' })
      await member.call('recovery/setPhone', { code: sms.code() })
      await minutesPass(server, member.id, 2)
      await bare(server)('recovery/begin', { username: member.username, face: 'member' })
      await expect.poll(() => sms.sent.length).toBe(2)
      codes.push(sms.code())
    }
    let open = () => {}
    const gate = new Promise<void>((go) => (open = go))
    const spy = vi.spyOn(argon2, 'hash').mockImplementation(() => gate.then(() => '$hash'))
    onTestFinished(() => spy.mockRestore())
    const recovered = people.map(({ username }, n) =>
      bare(server)('recovery/finish', { username, face: 'member', code: codes[n] ?? '', ...chosen }),
    )
    await vi.waitFor(() => expect(spy).toHaveBeenCalled())
    expect((await login(agent.username, '203.0.113.1')).reply.code).toBe(OK)
    open()
    expect((await Promise.all(recovered)).map(outcomeOf)).toEqual(people.map(() => 'done'))
  })

  test('not behind the sign-ins of one network, of whatever names', async () => {
    const { agent } = await server.family()
    let open = () => {}
    const gate = new Promise<void>((go) => (open = go))
    const compared: unknown[] = []
    const spy = vi.spyOn(argon2, 'verify').mockImplementation(async (_, password) => {
      compared.push(password)
      await gate
      return true
    })
    onTestFinished(() => spy.mockRestore())
    const flood = Array.from({ length: 60 }, (_, n) => login(`nobody${n}`, inNetwork6(), 'flood'))
    await vi.waitFor(() => expect(spy).toHaveBeenCalled())
    const mine = login(agent.username, '203.0.113.1')
    // It has joined the queue when nothing else of the server is under way.
    await server.post('member/invitation', server.wire.seal('member/invitation', { share_code: 'x' }))
    await expect.poll(() => server.services.db.connections().used).toBe(0)
    open()
    await Promise.all(flood)
    expect((await mine).reply.code).toBe(OK)
    expect(compared).toHaveLength(61)
    // At most four are under way, and at most four of the flood wait in the common queue.
    expect(compared.indexOf(PASSWORD)).toBeLessThanOrEqual(8)
  })

  test('nor behind those of clients that have left', async () => {
    const { agent } = await server.family()
    let open = () => {}
    const gate = new Promise<void>((go) => (open = go))
    const spy = vi.spyOn(argon2, 'verify').mockImplementation(() => gate.then(() => true))
    onTestFinished(() => spy.mockRestore())
    const sockets = new Set<Socket>()
    server.app.server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    const first = login(agent.username, '203.0.113.1')
    await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(1))
    const before = sockets.size
    const left = connect(Number(new URL(server.address).port), '127.0.0.1')
    const body = JSON.stringify(server.wire.seal('login', { username: agent.username, password: PASSWORD }))
    left.write(
      `POST /api/login HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await vi.waitFor(() => expect(sockets.size).toBe(before + 1))
    await expect.poll(() => server.services.db.connections().used).toBe(0)
    left.destroy()
    await vi.waitFor(() => expect(sockets.size).toBe(before))
    open()
    await first
    expect((await login(agent.username, '203.0.113.1')).reply.code).toBe(OK)
    expect(spy).toHaveBeenCalledTimes(2)
  })
})
