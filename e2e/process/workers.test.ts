import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { ClientEvents, ServerEvents } from '@tallyroom/contract/events'
import { seal } from '@tallyroom/contract/wire'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCollector } from '../../server/src/testing/fakes/collector.ts'
import { type Client, signIn, signUp } from '../support/client.ts'
import { emptyInstallations } from '../support/empty-installation.ts'
import { ledgerCheck, repeatTransfers, transactionOf, transfersUntil } from '../support/faults/kills.ts'
import { freePort, type ServerProcess, startServer } from '../support/server.ts'
import { isAlive, workersOf } from '../support/workers.ts'

const emptyInstallation = emptyInstallations()
const collector = await openCollector()
/** The first calls of an address that needs no session: 12 times the rate at once. */
const OPEN_AT_ONCE = 12
const env = {
  WORKERS: '2',
  METRICS_PORT: String(await freePort()),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  CALL_LIMITS: 'on',
  OPEN_CALLS_PER_SECOND: '1',
  READS_PER_SECOND: '1000',
  WRITES_PER_SECOND: '100000',
  CALLS_PER_SECOND_OF_ADDRESS: '100000',
}

let server: ServerProcess
let admin: Client
let member: Client & { id: number }
let room = ''
const sockets: Page[] = []
beforeAll(async () => {
  server = await startServer({ dataDir: await emptyInstallation(), env })
  admin = await signIn(server.url, 'admin', server.password)
  member = await signUp(server.url, (await admin.call('user/view', {})).share_code, 'waiting')
  room = (await member.call('room/list', {})).data[0]?.code ?? ''
})
afterAll(async () => {
  for (const { socket } of sockets) socket.disconnect()
  await server.remove()
  collector.close()
})

type Page = { socket: Socket<ServerEvents, ClientEvents>; contents: string[]; cuts: string[]; changes: number }
/** Connections are dealt out in turn, so two that are opened one after the other reach both workers. */
const openPage = async ({ token }: Client): Promise<Page> => {
  const socket: Page['socket'] = io(server.url, { path: '/socket', auth: { token }, transports: ['websocket'] })
  const page: Page = { socket, contents: [], cuts: [], changes: 0 }
  socket.on('room', ({ messages }) => page.contents.push(...messages.map(({ content }) => content)))
  socket.on('account', () => page.changes++)
  socket.on('disconnect', (reason) => page.cuts.push(reason))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  sockets.push(page)
  return page
}

/** A connection that stays open, and so stays with one worker. */
const openConnection = () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = async (name: string, body: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const sent = request(`${server.url}/api/${name}`, { method: 'POST', agent, headers }).end(JSON.stringify(body))
    const [answer] = await once(sent, 'response')
    let text = ''
    for await (const part of answer) text += part
    return JSON.parse(text) as { code: number; refusal?: string; data?: unknown }
  }
  return { post, close: () => agent.destroy() }
}

const workers = () => workersOf(server)
const metric = async (series: string) => {
  const text = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  )
}
/** Sends like a page: with one id, again until there is an answer. */
const send = async (content: string) => {
  const request_id = randomUUID()
  const attempt = () =>
    admin.ask('sendMessage', { code: room, type: MessageType.text, content, request_id }).catch(() => undefined)
  let answer = await attempt()
  while (answer?.code !== OK) answer = await attempt()
}

test('[SPEED-01] two workers share the port: events, metrics, traces and limits are those of both', async () => {
  expect(workers()).toHaveLength(2)
  const pages = [await openPage(member), await openPage(member)]
  await send('to both')
  await admin.call('user/transaction', { id: member.id, amount: '1', remark: '', request_id: randomUUID() })
  // Of the message's worker and of the ledger's writer.
  for (const page of pages) {
    await expect.poll(() => page.contents).toEqual(['to both'])
    await expect.poll(() => page.changes).toBeGreaterThan(0)
  }
  // [RUN-03] The call was one worker's, its batch the writer's, and its event went on to both.
  const call = await collector.find(({ name }) => name === 'user/transaction')
  const batch = await collector.find(({ links }) => links.some(({ traceId }) => traceId === call.traceId))
  expect([call, batch].map(({ resource }) => resource['tallyroom.process'])).toEqual(['worker', 'writer'])
  const relayed = () => collector.spans.filter(({ name, traceId }) => name === 'relayed' && traceId === batch.traceId)
  await expect.poll(() => new Set(relayed().map(({ resource }) => resource['service.instance.id'])).size).toBe(2)

  // Requests of a page that polls would reach either worker.
  const polling = await fetch(`${server.url}/socket/?EIO=4&transport=polling`)
  expect(polling.status).toBe(400)

  const connections = [openConnection(), openConnection()] as const
  for (const { post } of connections)
    for (let n = 0; n < 2; n++)
      expect((await post('user/list', seal('user/list', {}, 'tallyroom'), admin.token)).code).toBe(OK)
  expect(await metric('tallyroom_calls_total{call="user/list",outcome="success"}')).toBe(4)
  expect(await metric('tallyroom_sockets')).toBe(2)
  expect(await metric('tallyroom_batch_size_sum{of="transfers"}')).toBe(1)
  expect(await metric('tallyroom_ledger_uneven_tops')).toBe(0)

  // One worker counts until it refuses; then the other refuses sooner than after its own count.
  const passes = async ({ post }: (typeof connections)[number]) => {
    for (let n = 0; ; n++) if ((await post('login', '7')).refusal === 'request.too_often') return n
  }
  await passes(connections[0])
  expect(await passes(connections[1])).toBeLessThan(OPEN_AT_ONCE / 2)
  // An admin reads the number of people of both workers, whichever it asks. The member is at both.
  const admins = await openPage(admin)
  for (const { post } of connections) {
    const { data } = await post('installation/view', seal('installation/view', {}, 'tallyroom'), admin.token)
    const { findings } = data as { findings: { topic: string; count: number }[] }
    expect(findings.find(({ topic }) => topic === 'people')?.count).toBe(2)
  }
  admins.socket.disconnect()
  sockets.pop()
  for (const { close } of connections) close()
})

test('[SPEED-01] [R1] [R2] kill -9 of a worker, and of the writer: what was answered is kept, and a repeat has one outcome', async () => {
  const before = (await admin.call('member/view', { member_id: member.id })).balance
  const terms = { clients: 32, answeredBefore: 150 }
  const payers = [{ client: admin, member: member.id }]
  const victim = workers()[0] ?? 0
  const ofWorker = await transfersUntil(payers, { ...terms, kill: async () => process.kill(victim, 'SIGKILL') })
  expect(await repeatTransfers(ofWorker, 32)).toEqual([])
  // The sockets of the other one stay.
  await expect.poll(() => sockets.map(({ cuts }) => cuts.length).toSorted((a, b) => a - b)).toEqual([0, 1])
  await expect.poll(() => sockets.map(({ socket }) => socket.connected)).toEqual([true, true])
  await send('after the kill')
  for (const { contents } of sockets) await expect.poll(() => contents).toContain('after the kill')
  await expect.poll(() => workers(), { timeout: 30_000 }).toHaveLength(2)
  expect(workers()).not.toContain(victim)
  expect(server.output()).toContain('A worker has ended')

  const orphans = workers()
  const ofWriter = await transfersUntil(payers, { ...terms, kill: server.kill })
  await expect.poll(() => orphans.filter((pid) => isAlive(pid))).toEqual([])
  server = await startServer({ dataDir: server.dataDir, port: Number(new URL(server.url).port), env })
  expect(await repeatTransfers(ofWriter, 32)).toEqual([])

  const all = [...ofWorker, ...ofWriter]
  expect(new Set(all.map(({ answer }) => transactionOf(answer))).size).toBe(all.length)
  const given = all.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 10_000), 0)
  const { balance } = await admin.call('member/view', { member_id: member.id })
  expect(Math.round((Number(balance) - Number(before)) * 10_000)).toBe(given)
  expect(await ledgerCheck(server)).not.toContain('✗')
})

test('[SPEED-01] a taken port is one line, and Ctrl-C ends all processes in order', async () => {
  const second = startServer({
    port: Number(new URL(server.url).port),
    dataDir: await emptyInstallation(),
    env: { WORKERS: '2' },
  })
  const words = await second.then(() => 'it started', String)
  expect(words.trim().split('\n').at(-1)).toMatch(/^Port \d+ is taken\. /)
  const all = workers()
  expect(await server.stop()).toBe(0)
  expect(all.filter((pid) => isAlive(pid))).toEqual([])
})
