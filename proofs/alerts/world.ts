import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { makePeople, topAccount } from '../../bench/lib/people.ts'
import { clearAwayAtExit } from '../../bench/lib/server.ts'
import { makeClient, signIn } from '../../e2e/support/client.ts'
import { type ServerProcess, startServer } from '../../e2e/support/server.ts'
import { connect, one, run, sql } from '../../server/src/data/sql.ts'
import { startRedis } from '../../server/src/testing/redis.ts'
import { sendPhoto, startAnyS3 } from '../images-away.ts'
import { startPrometheus } from '../prometheus.ts'
import { ask, startPair } from '../standby.ts'

const base = Number(process.env.PROOF_PORTS ?? 22_200)
export const ports = {
  metrics: [base + 1, base + 2],
  web: [base + 3, base + 4],
  prometheus: base + 5,
  s3: base + 6,
  platform: base + 7,
  database: [base + 8, base + 9],
} as const
export const rules = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url))

/** Loaded into each copy: blocks its event loop at a signal, and sets its clock wrong. */
const FAULTS = `
process.on('SIGUSR2', () => { for (const end = performance.now() + Number(process.env.FAULT_BLOCK_MS ?? 4000); performance.now() < end;); })
const ahead = Number(process.env.FAULT_CLOCK_MS ?? 0)
const Real = Date
if (ahead) globalThis.Date = class extends Real {
  constructor(...given) { if (given.length) super(...given); else super(Real.now() + ahead) }
  static now() { return Real.now() + ahead }
}`

export type World = Awaited<ReturnType<typeof startWorld>>

/** Two copies on a database with a synchronous standby, which they read too, with Redis, a platform and a Prometheus. */
export const startWorld = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-alerts-'))
  clearAwayAtExit(dataDir)
  const archive = join(dataDir, 'archive')
  mkdirSync(archive)
  const faults = join(dataDir, 'faults.cjs')
  writeFileSync(faults, FAULTS)
  // Not in DATA_DIR, which each start of a copy closes to other users.
  const databaseDir = mkdtempSync(join(tmpdir(), 'tallyroom-alerts-database-'))
  chmodSync(databaseDir, 0o755)
  clearAwayAtExit(databaseDir)
  const cluster = await startPair(join(databaseDir, 'pair'), [...ports.database])
  process.once('exit', () => cluster.stop())
  const [primary, standby] = ports.database
  await ask(primary, 'create database tallyroom')
  const database = { host: '127.0.0.1', port: primary, user: 'postgres', database: 'tallyroom' }
  const s3 = startAnyS3(ports.s3)
  const platform = { refuses: false }
  createServer((_, answer) => answer.writeHead(platform.refuses ? 503 : 200).end())
    .listen(ports.platform, '127.0.0.1')
    .unref()
  const redis = await startRedis()
  const at = (port: number) => `postgresql://postgres@127.0.0.1:${port}/tallyroom`
  const env = (copy: 0 | 1): Record<string, string> => ({
    DATABASE_URL: at(primary),
    DATABASE_READ_URL: at(standby),
    REDIS_URL: redis.url,
    METRICS_PORT: String(ports.metrics[copy]),
    WAL_ARCHIVE: archive,
    TALLYROOM_KEY: 'b0'.repeat(32),
    LOG_SMS: '1',
    WEBHOOKS_INSIDE: '1',
    CALL_LIMITS: '',
    NODE_OPTIONS: `--require ${faults}`,
    ...s3.env,
  })
  const start = (copy: 0 | 1, more: { env?: Record<string, string>; handles?: number; dataDir?: string } = {}) =>
    startServer({ dataDir, ...more, port: ports.web[copy], env: { ...env(copy), ...more.env } })
  const copies: [ServerProcess, ServerProcess] = [await start(0), await start(1)]
  // Kept open: some troubles are locks of its session.
  const db = connect({ ...database, max: 1, idleTimeoutMillis: 0 })
  const top = await topAccount(db)
  const [agent] = await makePeople(db, { role: Role.agent, under: [top], each: 1, prefix: 'desk', credit: 10n ** 16n })
  if (!agent) throw new Error('makePeople made no agent')
  const [member] = await makePeople(db, { role: Role.member, under: [agent], each: 1, prefix: 'guest' })
  if (!member) throw new Error('makePeople made no member')
  const admin = await signIn(copies[0].url, 'admin', copies[0].password)
  await admin.call('apiKey/add', { label: 'platform', rights: ['webhooks'], current_password: copies[0].password })
  await admin.call('setting/save', { api_url: `http://127.0.0.1:${ports.platform}/` })

  const note = (name: string, hoursAgo: number) =>
    writeFileSync(join(dataDir, name), `${new Date(Date.now() - hoursAgo * 3_600_000).toISOString()}\n`)
  note('last-backup', 1)
  note('last-drill', 1)
  const archived = { secondsAgo: 0 }
  setInterval(() => {
    const moment = new Date(Date.now() - archived.secondsAgo * 1000)
    utimesSync(archive, moment, moment)
  }, 200).unref()

  const office = () => makeClient(copies[0].url, agent.token)
  const pay = () =>
    office().ask('user/transaction', { id: member.id, amount: '1', remark: '', request_id: randomUUID() })
  const view = () => office().ask('user/view', { id: member.id })
  const write = (copy: 0 | 1) =>
    makeClient(copies[copy].url, member.token).ask('sendMessage', {
      code: member.room,
      type: MessageType.text,
      content: 'hello',
      request_id: randomUUID(),
    })
  const answer = () =>
    office().ask('sendMessage', { code: member.room, type: 1, content: 'hi', request_id: randomUUID() })
  const listNotes = async () => {
    const room = await one<{ id: number }>(db, sql`select id from rooms where partner_id = ${member.id}`)
    return office().ask('note/list', { room_id: room?.id ?? 0, page: 1, per_page: 20 })
  }
  return {
    dataDir,
    cluster,
    standby,
    database,
    db,
    s3,
    redis,
    platform,
    archived,
    copies,
    agent,
    member,
    note,
    view,
    pay,
    write,
    listNotes,
    prometheus: await startPrometheus({ directory: dataDir, rules, targets: ports.metrics, port: ports.prometheus }),
    /** Replaces the second copy. */
    restart: async (more: Parameters<typeof start>[1] = {}) => {
      await copies[1].stop()
      copies[1] = await start(1, more)
    },
    /** After it has ended. */
    startSecond: async () => {
      copies[1] = await start(1)
    },
    /** Statements, as the superuser. */
    set: async (text: string) => {
      for (const statement of text.split(';')) await run(db, { text: statement, values: [] })
    },
    /** What a quiet minute has; without the answer the member waits, and an alert rightly says so. */
    work: async () => {
      await Promise.all([pay(), view(), write(0), write(1), sendPhoto(copies[0].url, member)])
      await answer()
    },
    stop: async () => {
      for (const copy of copies) await copy.stop()
      await db.end()
      await redis.kill()
      cluster.stop()
    },
  }
}
