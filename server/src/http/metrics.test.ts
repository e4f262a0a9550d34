import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { MessageType, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { noteBackup } from '../doctor/last-backup.ts'
import { run, sql } from '../data/sql.ts'
import { startTestServer, type TestServer } from '../testing/app.ts'

let server: TestServer
const lines: Record<string, unknown>[] = []
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  server = await startTestServer({ METRICS_PORT: '0', ACCESS_LOG: '1' }, log)
})

const read = async (path = '/metrics', init?: RequestInit) =>
  fetch(`http://127.0.0.1:${server.metricsPort}${path}`, init)
/** The value of a series as it is written; undefined while there is none. */
const valueOf = async (series: string) => {
  const text = await (await read()).text()
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}
const until = async (series: string, isRight: (value: number | undefined) => boolean) => {
  for (const end = Date.now() + 20_000; ; await pause(100)) {
    const value = await valueOf(series)
    if (isRight(value) || Date.now() > end) return value
  }
}

describe('[RUN-02] the metrics', () => {
  test('count calls by name and outcome, with their times, batches and sockets', async () => {
    const { agent, cs, member, room } = await server.family()
    await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'hello' })
    await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    await member.ask('user/list', {})
    await server.post('user/view', '7')
    await agent.socket()
    expect(await until('tallyroom_sockets', (n) => n === 1)).toBe(1)
    expect(await valueOf('tallyroom_calls_total{call="sendMessage",outcome="success"}')).toBe(1)
    expect(await valueOf('tallyroom_calls_total{call="user/list",outcome="access.denied"}')).toBe(1)
    expect(await valueOf('tallyroom_calls_total{call="user/view",outcome="request.bad_envelope"}')).toBe(1)
    expect(await valueOf('tallyroom_call_duration_seconds_count{call="sendMessage"}')).toBe(1)
    expect(await valueOf('tallyroom_batch_size_sum{of="messages"}')).toBe(1)
    expect(await valueOf('tallyroom_batch_size_sum{of="transfers"}')).toBeGreaterThanOrEqual(1)
    expect(await valueOf('tallyroom_batch_queue{of="transfers"}')).toBe(0)
    expect(await valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  })

  test('say who waits, what is not delivered, and whether the ledger is right', async () => {
    const { member, room } = await server.family()
    expect(await until('tallyroom_ledger_uneven_tops', (n) => n === 0)).toBe(0)
    expect(await valueOf('tallyroom_ledger_low_wallets')).toBe(0)
    expect(await valueOf('tallyroom_backup_age_seconds')).toBeUndefined()
    const before = (await valueOf('tallyroom_waiting_members')) ?? 0
    await member.call('sendMessage', { code: room, type: MessageType.text, content: 'hello?' })
    await noteBackup(server.services.settings.dataDir)
    // Directly, past the ledger.
    await run(
      server.services.db,
      sql`update wallets set balance = balance + 1 where account_id = ${member.id} and kind = 1`,
    )
    expect(await until('tallyroom_waiting_members', (n) => n === before + 1)).toBe(before + 1)
    expect(await until('tallyroom_longest_wait_seconds', (n) => n !== undefined && n > 0)).toBeGreaterThan(0)
    expect(await valueOf('tallyroom_ledger_uneven_tops')).toBe(1)
    expect(await valueOf('tallyroom_backup_age_seconds')).toBeLessThan(60)
    expect(await valueOf('tallyroom_disk_free_bytes')).toBeGreaterThan(0)
    expect(await valueOf('tallyroom_database_up')).toBe(1)
    expect(await valueOf('tallyroom_database_connections{state="used"}')).toBeGreaterThanOrEqual(0)
    await run(
      server.services.db,
      sql`update wallets set balance = balance - 1 where account_id = ${member.id} and kind = 1`,
    )
  })

  test('[RUN-04] are the only ones that the alert rules and the dashboard name', async () => {
    const text = await (await read()).text()
    const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
    const isKnown = (name: string) =>
      types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
    const deployed = (file: string) => readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8')
    const named = ['prometheus/alerts.yml', 'grafana/tallyroom.json'].flatMap((file) =>
      [...deployed(file).matchAll(/\b(?:tallyroom|nodejs|process)_\w+/g)].map(([name]) => name),
    )
    expect(named.length).toBeGreaterThan(40)
    expect([...new Set(named)].filter((name) => !isKnown(name))).toEqual([])
    expect(
      [...types.keys()].filter((name) => name.startsWith('tallyroom_') && !named.some((one) => one.startsWith(name))),
    ).toEqual([])
  })

  test('have a port of their own, with nothing else on it', async () => {
    expect((await read('/')).status).toBe(404)
    expect((await read('/healthz')).status).toBe(404)
    expect((await read('/metrics', { method: 'POST' })).status).toBe(405)
    for (const path of ['/metrics', '/api/user/view', '/.well-known/x', '/sitemap.xml', '/wp-login.php', '/.env'])
      expect([path, (await fetch(server.address + path)).status]).toEqual([path, 404])
  })
})

describe('[RUN-03] the id of a call', () => {
  const idOf = async (address: string, given?: string) =>
    (await fetch(`${address}/healthz`, { headers: given === undefined ? {} : { 'x-request-id': given } })).headers.get(
      'x-request-id',
    )

  test('is our own, also for a stranger who gives two calls the same', async () => {
    const given = 'stranger-0123456789'
    const ids = await Promise.all([undefined, undefined, given, given].map((one) => idOf(server.address, one)))
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/)
    expect(ids).not.toContain(given)
    expect(new Set(ids).size).toBe(4)
    const { headers } = await server.post('user/view', '7', { 'x-request-id': given })
    expect(lines.map(({ call_id }) => call_id)).toContain(headers.get('x-request-id'))
    expect(JSON.stringify(lines)).not.toContain(given)
  })

  test("is a proxy's, behind one, unless it could break a line of a log or fill it", async () => {
    const behind = await startTestServer({ TRUSTED_PROXIES: '1' })
    expect(await idOf(behind.address, 'proxy-0123456789')).toBe('proxy-0123456789')
    for (const bad of ['short', 'x'.repeat(65), 'a b c d e f g', '{"level":50}', 'stranger-1234, proxy-0123456789'])
      expect(await idOf(behind.address, bad)).toMatch(/^[\w-]{8,20}$/)
  })

  test('is on the line of the access log, which holds nothing of what was sent', async () => {
    const { cs, room } = await server.family()
    const secret = 'nobody reads this in a log'
    await cs.call('sendMessage', { code: room, type: MessageType.text, content: secret })
    const { headers } = await server.post('logout', '7')
    const line = lines.find(({ call_id }) => call_id === headers.get('x-request-id'))
    expect(line).toMatchObject({ call: 'logout', outcome: 'request.bad_envelope', address: '127.0.0.1' })
    expect(lines.find(({ call, account }) => call === 'sendMessage' && account === cs.id)).toMatchObject({
      outcome: 'success',
    })
    expect(JSON.stringify(lines)).not.toContain(secret)
    expect(JSON.stringify(lines)).not.toContain(cs.token)
  })

  test('is in the error of a call that failed, and in the log beside its cause', async () => {
    const { agent } = await server.family()
    const { db } = server.services
    const { query } = db
    db.query = () => Promise.reject(new Error('a planted fault'))
    const reply = await agent.ask('user/view', {}).finally(() => (db.query = query))
    const { id } = reply.data as { id: string }
    expect(lines.find(({ call_id, err }) => call_id === id && err)).toMatchObject({ call: 'user/view' })
    expect(reply.message).toContain(id)
  })
})
