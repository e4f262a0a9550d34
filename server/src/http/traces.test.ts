import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallName } from '@tallyroom/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { botFamily } from '../testing/fakes/ai.ts'
import { type Person, startTestServer, type TestServer } from '../testing/app.ts'
import { type Collector, openCollector } from '../testing/fakes/collector.ts'
import { platform } from '../testing/fakes/platform.ts'
import { hasRedis, startRedis, type TestRedis } from '../testing/redis.ts'

/** Somebody else's service: says to which path came which trace. */
const outside: { path: string; traceparent: unknown }[] = []
const service = createServer((request, answer) => {
  outside.push({ path: request.url ?? '', traceparent: request.headers.traceparent })
  request.resume()
  answer.end(JSON.stringify({ choices: [{ message: { content: 'hello from the model' } }] }))
})

let collector: Collector
let redis: TestRedis | undefined
let server: TestServer
const lines: Record<string, unknown>[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const common = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  OTEL_BSP_SCHEDULE_DELAY: '20',
  ...(redis && { REDIS_URL: redis.url }),
})
beforeAll(async () => {
  collector = await openCollector()
  redis = hasRedis ? await startRedis() : undefined
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const to = { AI_URL: url, AI_MODEL: 'little', AI_ALLOW_HTTP: '1', SMS_URL: `${url}/sms`, SMS_ALLOW_HTTP: '1' }
  server = await startTestServer(
    {
      ...common(),
      ...to,
      OTEL_SERVICE_NAME: 'rooms',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one%20two',
      TRUSTED_PROXIES: '1',
      ACCESS_LOG: '1',
      WEBHOOKS_INSIDE: '1',
    },
    log,
  )
})
afterAll(async () => {
  collector.close()
  service.close()
  await redis?.kill()
})

let count = 0
/** Makes a call with an id of its own, and returns its span. */
const spanOf = async (who: Person, name: CallName, input: object, headers: Record<string, string> = {}) => {
  const id = `traced-call-${count++}`
  const sent = { authorization: `Bearer ${who.token}`, 'x-request-id': id, ...headers }
  await server.post(name, server.wire.seal(name, input), sent)
  return collector.call(id)
}
const parentHeader = (flags: string) => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}

describe('[RUN-03] traces', () => {
  test('a call is a span with its id and outcome, its statements below it, and its trace in the log', async () => {
    const { agent } = await server.family()
    const call = await spanOf(agent, 'user/list', {})
    expect(call).toMatchObject({ name: 'user/list', kind: 2, status: 0, parentSpanId: undefined })
    expect(call.attributes['tallyroom.outcome']).toBe('success')
    expect(call.resource).toMatchObject({ 'service.name': 'rooms', 'tallyroom.process': 'alone' })
    expect(collector.requests[0]?.['x-tenant']).toBe('one two')
    await expect.poll(() => collector.below(call).map(({ name }) => name)).toContain('select accounts')
    const [statement] = collector.below(call)
    expect(statement).toMatchObject({ kind: 3, traceId: call.traceId, attributes: { 'db.system.name': 'postgresql' } })
    const line = lines.find(({ call_id }) => call_id === call.attributes['tallyroom.call_id'])
    expect(line).toMatchObject({ call: 'user/list', trace_id: call.traceId, outcome: 'success' })
  })

  test('a refusal is an outcome; a fault is an error, without the words of what failed', async () => {
    const { agent, member } = await server.family()
    const refused = await spanOf(member, 'user/list', {})
    expect(refused).toMatchObject({ status: 0, attributes: { 'tallyroom.outcome': 'access.denied' } })
    const { db } = server.services
    const { query } = db
    db.query = () => Promise.reject(new Error('a planted fault with words'))
    const failed = await spanOf(agent, 'user/view', {}).finally(() => (db.query = query))
    expect(failed).toMatchObject({ status: 2, attributes: { 'tallyroom.outcome': 'server.failed' } })
    expect(collector.bodies.join('')).not.toContain('planted fault')
    const line = lines.find(({ msg, trace_id }) => msg === 'A call failed' && trace_id === failed.traceId)
    expect(line).toBeDefined()
  })

  test("a batch of the ledger has a trace of its own, linked with its calls'", async () => {
    const { agent, member } = await server.family()
    const calls = await Promise.all(
      [1, 2, 3, 4].map(() =>
        spanOf(agent, 'user/transaction', { id: member.id, amount: '1', remark: '', request_id: randomUUID() }),
      ),
    )
    for (const call of calls) {
      const batch = await collector.find(
        ({ name, links }) => name === 'batch of transfers' && links.some(({ spanId }) => spanId === call.spanId),
      )
      expect(batch.traceId).not.toBe(call.traceId)
      expect(batch.links).toHaveLength(Number(batch.attributes['tallyroom.batch_size']))
      const waited = await collector.find(
        ({ name, parentSpanId }) => name === 'wait for transfers' && parentSpanId === call.spanId,
      )
      expect(waited.links).toEqual([expect.objectContaining({ traceId: batch.traceId, spanId: batch.spanId })])
      const [transaction] = collector.below(batch)
      expect(transaction?.name).toBe('transaction')
      const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === transaction?.spanId)
      expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['insert transfers', 'commit']))
    }
  })

  test("a proxy's trace goes on, with its choice whether to record; without a trusted proxy it does not", async () => {
    const { agent } = await server.family()
    const { traceId, spanId, traceparent } = parentHeader('01')
    expect(await spanOf(agent, 'user/view', {}, { traceparent })).toMatchObject({ traceId, parentSpanId: spanId })
    const broken = await spanOf(agent, 'user/view', {}, { traceparent: `00-${'0'.repeat(32)}-x` })
    expect(broken.parentSpanId).toBeUndefined()
    const silent = parentHeader('00')
    const headers = { authorization: `Bearer ${agent.token}`, traceparent: silent.traceparent }
    await server.post('user/view', server.wire.seal('user/view', {}), headers)
    await spanOf(agent, 'user/view', {})
    expect(collector.spans.filter((span) => span.traceId === silent.traceId)).toEqual([])
  })

  test.skipIf(!hasRedis)('what reaches the sockets of another copy belongs to the trace that made it', async () => {
    const there = await startTestServer({ ...common(), OTEL_RESOURCE_ATTRIBUTES: 'service.instance.id=there' })
    const { agent, member, room } = await server.family()
    const socket = await there.here(agent).socket()
    const arrived = new Promise((resolve) => socket.once('room', resolve))
    const call = await spanOf(member, 'sendMessage', { code: room, type: 1, content: 'x', request_id: randomUUID() })
    await arrived
    const batch = await collector.find(({ links }) => links.some(({ spanId }) => spanId === call.spanId))
    expect(batch.name).toBe('batch of messages')
    const relayed = await collector.find(({ name, traceId }) => name === 'relayed' && traceId === batch.traceId)
    expect(relayed).toMatchObject({ parentSpanId: batch.spanId, resource: { 'service.instance.id': 'there' } })

    const { traceparent } = parentHeader('01')
    const { headers } = await there.post('user/view', '7', { traceparent })
    expect((await collector.call(headers.get('x-request-id') ?? '')).parentSpanId).toBeUndefined()
    // It would answer rooms and send webhooks of the tests below.
    await there.close()
  })

  test("what is sent to services that the administrator chose goes on with the trace, to others' it does not", async () => {
    const traceOf = (path: string) => outside.find((one) => one.path === path)
    await server.services.sms.send('+1', 'a code')
    const sms = await collector.find(({ name }) => name === 'send SMS')
    expect(traceOf('/sms')?.traceparent).toBe(`00-${sms.traceId}-${sms.spanId}-01`)

    const { top, agent, member, code } = await botFamily(server)
    await member.call('sendMessage', { code, type: 1, content: 'are you there?' })
    const asked = await collector.find(({ name }) => name === 'ask AI')
    expect(traceOf('/chat/completions')?.traceparent).toBe(`00-${asked.traceId}-${asked.spanId}-01`)

    await platform(server, top)
    const url = server.services.settings.bot?.url ?? ''
    await top.call('setting/save', { api_url: `${url}/hook` })
    await agent.call('transaction/add', { member_id: member.id, type: 1, amount: '1' })
    const hook = await collector.find(({ name }) => name === 'send webhook')
    expect(hook.attributes['tallyroom.outcome']).toBe('200')
    expect(traceOf('/hook')).toEqual({ path: '/hook', traceparent: undefined })
  })

  test('canaries: nothing that people write, own or are named is in a span', async () => {
    const { agent, cs, member, room } = await server.family()
    const canary = (at: number) => `Zq${at}${randomBytes(5).toString('hex')}`
    const [said, remark, nickname, password, agentName, search] = [1, 2, 3, 4, 5, 6].map(canary)
    const amount = '17.3951'
    const address = '203.0.113.77'
    const from = { 'x-forwarded-for': address, 'user-agent': agentName ?? '', cookie: `tallyroom_office=${canary(7)}` }
    await spanOf(cs, 'sendMessage', { code: room, type: 1, content: said, request_id: randomUUID() }, from)
    await spanOf(agent, 'user/transaction', { id: member.id, amount, remark, request_id: randomUUID() }, from)
    await spanOf(agent, 'user/edit', { id: cs.id, nickname, password, password_confirmation: password }, from)
    await spanOf(agent, 'search/messages', { keyword: search }, from)
    await spanOf(agent, 'login', { username: agent.username, password }, from)
    // Closed, so that everything has been sent.
    await server.close()
    const sent = collector.bodies.join('')
    const canaries = [said, remark, nickname, password, agentName, search, amount, address]
    const names = [agent, cs, member].flatMap(({ username, token }) => [username, token])
    expect([...canaries, ...names].filter((one) => one && sent.includes(one))).toEqual([])
    // The amount in units, as a number of its own: times and ids of spans hold any six digits by chance.
    expect(sent).not.toMatch(/(?<![\da-f])173951(?![\da-f])/)
    expect(sent).toContain('user/transaction')
  })
})

test('[RUN-03] a collector that does not answer delays nothing, and the log says what is lost', async () => {
  const hanging = await openCollector()
  hanging.hang()
  const said: Record<string, unknown>[] = []
  const to = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line)) })
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url, OTEL_EXPORTER_OTLP_TIMEOUT: '50' }
  const other = await startTestServer({ ...env, OTEL_BSP_SCHEDULE_DELAY: '10' }, to)
  const { agent } = await other.family()
  await expect.poll(() => said.find(({ lost }) => Number(lost) > 0)).toMatchObject({ level: 40 })
  await agent.call('user/view', {})
  await other.close()
  hanging.close()
})
