import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { io } from 'socket.io-client'
import { seal } from '@tallyroom/contract/wire'
import type { CallName, Input } from '@tallyroom/contract'
import { MessageType } from '@tallyroom/contract/codes'
import { type Client, signIn, signUp } from '../e2e/support/client.ts'
import { startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'
import { configOf } from '../server/src/data/access.ts'
import { connect, one, sql } from '../server/src/data/sql.ts'
import { checkLedger } from '../server/src/ledger/check/check.ts'
import { missingPrograms, startPatroni } from './patroni.ts'
import { ask, startPair } from './standby.ts'

// RUN-07. `npx tsx proofs/failover.ts [--kills 10] [--patroni] [--keep FILE]`: the primary of a PostgreSQL with standbys is
// killed again and again while clients pay points and write messages, each repeated with its request_id.
const PAYERS = 8
const WRITERS = 4
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '10' }, patroni: { type: 'boolean' }, keep: { type: 'string' } },
})
const say = (line: string) => {
  process.stdout.write(`${line}\n`)
  if (values.keep) appendFileSync(values.keep, `${line}\n`)
}
const missing = values.patroni ? missingPrograms() : []
if (missing.length) {
  say(`Not tried: ${missing.join(', ')} is missing. Debian has it: apt-get install patroni etcd-server postgresql`)
  process.exit(1)
}

await buildServer()
const directory = mkdtempSync(join(tmpdir(), 'tallyroom-failover-'))
chmodSync(directory, 0o755)
const cluster = values.patroni
  ? await startPatroni(directory, [25_501, 25_502, 25_503])
  : await startPair(join(directory, 'pair'), [25_501, 25_502])
process.once('exit', () => {
  cluster.stop()
  rmSync(directory, { recursive: true, force: true })
})
const [first = 0] = cluster.ports
const primaryPort = async () => {
  for (const port of cluster.ports) {
    const rows = await ask<{ there: boolean }>(port, 'select not pg_is_in_recovery() as there').catch(() => [])
    if (rows[0]?.there) return port
  }
  return first
}
await ask(await primaryPort(), 'create database tallyroom')
const hosts = cluster.ports.map((port) => `127.0.0.1:${port}`).join(',')
const DATABASE_URL = `postgresql://postgres@${hosts}/tallyroom?target_session_attrs=read-write`
const server = await startServer({ env: { DATABASE_URL, TALLYROOM_KEY: '5e'.repeat(32) } })

const admin = await signIn(server.url, 'admin', server.password)
const { share_code } = await admin.call('user/view', {})
const member = await signUp(server.url, share_code, 'survivor')
const { data } = await member.call('room/list', {})
const code = data[0]?.code ?? ''

/** Answers that are neither success, nor "ask again": HTTP 503 and 504. */
const wrong = new Map<string, number>()
const again = new Map<number, number>()
let lastDone = 0
const sent = { transfers: 0, messages: 0 }
const post = async <N extends CallName>({ token }: Client, name: N, input: Input<N>) => {
  const answer = await fetch(`${server.url}/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(seal(name, input, 'tallyroom')),
  })
  const { code: outcome, message } = (await answer.json()) as { code: number; message: string }
  if (outcome === 1000) return true
  if (answer.status === 504 || (answer.status === 503 && answer.headers.get('retry-after')))
    again.set(answer.status, (again.get(answer.status) ?? 0) + 1)
  else wrong.set(`${answer.status} ${outcome} ${message}`, (wrong.get(`${answer.status} ${outcome}`) ?? 0) + 1)
  return false
}
const repeat = async (make: () => Promise<boolean>) => {
  while (!(await make())) await pause(50)
  lastDone = performance.now()
}
let going = true
const load = Promise.all([
  ...Array.from({ length: PAYERS }, async () => {
    while (going) {
      const request_id = randomUUID()
      sent.transfers++
      await repeat(() =>
        post(admin, 'user/transaction', { id: member.id, amount: '1', remark: 'failover', request_id }),
      )
    }
  }),
  ...Array.from({ length: WRITERS }, async () => {
    while (going) {
      const request_id = randomUUID()
      sent.messages++
      await repeat(() => post(member, 'sendMessage', { code, type: MessageType.text, content: request_id, request_id }))
    }
  }),
])
let cuts = 0
const sockets = Array.from({ length: 20 }, (_, n) => {
  const { token } = n % 2 ? admin : member
  const socket = io(server.url, { path: '/socket', auth: { token }, transports: ['websocket'] })
  socket.on('disconnect', () => going && cuts++)
  return socket
})

const after: number[] = []
for (let round = 1; round <= Number(values.kills); round++) {
  await pause(1000 + Math.random() * 2000)
  const promotion = await cluster.failOver()
  const promoted = performance.now()
  while (lastDone < promoted) await pause(2)
  const seconds = (lastDone - promoted) / 1000
  after.push(seconds)
  say(
    `kill ${round}: another server took writes after ${promotion.toFixed(2)} s, the first call ${seconds.toFixed(2)} s later`,
  )
  await cluster.heal()
}
await pause(1000)
going = false
await load
for (const socket of sockets) socket.disconnect()

const { balance } = await admin.call('member/view', { member_id: member.id })
const db = connect({ ...configOf(DATABASE_URL), max: 2 })
const stored = (await one<{ transfers: number; messages: number; texts: number }>(
  db,
  sql`select (select count(*)::int from transfers where remark = 'failover') as transfers,
    count(*)::int as messages, count(distinct content)::int as texts from messages where type = 1`,
)) ?? { transfers: 0, messages: 0, texts: 0 }
const breaches = (await checkLedger(db, 'UTC')).filter((rule) => rule.breaches.length)
await db.end()
const lost = sent.transfers + sent.messages - Math.min(stored.transfers, sent.transfers) - stored.texts
const doubled = Math.max(0, stored.transfers - sent.transfers) + stored.messages - stored.texts
const faults = [
  ...[...wrong].map(([what, times]) => `${times} times answered ${what}`),
  ...(lost ? [`${lost} lost`] : []),
  ...(doubled ? [`${doubled} doubled`] : []),
  ...breaches.map(({ rule }) => `the ledger breaks ${rule}`),
  ...(Number(balance) === sent.transfers ? [] : [`the member holds ${balance} after ${sent.transfers} transfers of 1`]),
  ...(Math.max(...after) > 3 ? [`${Math.max(...after).toFixed(2)} s until calls worked again`] : []),
]
for (const fault of faults) say(`✗ ${fault}`)
say(
  `${faults.length ? '✗' : '✓'} ${after.length} kills, ${sent.transfers} transfers, ${sent.messages} messages: ${lost} lost, ${doubled} doubled; ` +
    `first call at most ${Math.max(...after).toFixed(2)} s after the promotion; ${again.get(503) ?? 0} answers 503, ` +
    `${again.get(504) ?? 0} unsure commits, ${cuts} cuts of 20 sockets`,
)
if (faults.length) process.exitCode = 1
await server.remove()
process.exit()
