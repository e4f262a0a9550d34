import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect as open, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@tallyroom/postgres'
import { makePeople, topAccount } from '../bench/lib/people.ts'
import { clearAwayAtExit } from '../bench/lib/server.ts'
import { again } from '../e2e/support/again.ts'
import { makeClient } from '../e2e/support/client.ts'
import { type ServerProcess, startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'
import { connect, one, run, sql } from '../server/src/data/sql.ts'
import { locks } from '../server/src/data/locks.ts'
import { addressOf } from '../server/src/testing/template.ts'
import { startRedis } from '../server/src/testing/redis.ts'
import { checkDashboard } from './dashboard.ts'
import { sendPhoto, startAnyS3 } from './images-away.ts'
import { lockTable, planted } from './plant.ts'
import { startPrometheus, withoutRequestParts } from './prometheus.ts'

// RUN-04. `npx tsx proofs/alerts.ts [dashboard] [ALERT…]`: a real Prometheus reads two copies and our rules. Each trouble is
// planted, its alert must be raised within 60 s, and must end when the trouble does. Before that each query of the dashboard is
// asked. Needs `prometheus` and `redis-server`.

const WITHIN_S = 60
const tell = (line: string) => process.stdout.write(`${line}\n`)
const wanted = process.argv.slice(2)
const ports = { metrics: [22_201, 22_202], web: [22_203, 22_204], prometheus: 22_205, s3: 22_206 } as const

await buildServer()
const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-alerts-'))
clearAwayAtExit(dataDir)
const archive = join(dataDir, 'archive')
mkdirSync(archive)
const postgres = await startPostgres({ dataDir })
const s3 = startAnyS3(ports.s3)
const redis = await startRedis()
const env = (at: 0 | 1): Record<string, string> => ({
  DATABASE_URL: addressOf(postgres.superuser),
  REDIS_URL: redis.url,
  METRICS_PORT: String(ports.metrics[at]),
  WAL_ARCHIVE: archive,
  TALLYROOM_KEY: 'b0'.repeat(32),
  LOG_SMS: '1',
  ...s3.env,
})
const startCopy = (at: 0 | 1, more: { env?: Record<string, string>; handles?: number } = {}) =>
  startServer({ ...more, dataDir, port: ports.web[at], env: { ...env(at), CALL_LIMITS: '', ...more.env } })
const copies: [ServerProcess, ServerProcess] = [await startCopy(0), await startCopy(1)]
const db = connect({ ...postgres.superuser, max: 1 })
const [agent] = await makePeople(db, {
  role: 2,
  under: [await topAccount(db)],
  each: 1,
  prefix: 'desk',
  credit: 10n ** 16n,
})
if (!agent) throw new Error('makePeople made no agent')
const [member] = await makePeople(db, { role: 4, under: [agent], each: 1, prefix: 'guest' })
if (!member) throw new Error('makePeople made no member')
const note = (name: string, hoursAgo: number) =>
  writeFileSync(join(dataDir, name), `${new Date(Date.now() - hoursAgo * 3_600_000).toISOString()}\n`)
const noteBackup = (hoursAgo: number) => note('last-backup', hoursAgo)
noteBackup(1)
note('last-drill', 1)
const freshArchive = () => utimesSync(archive, new Date(), new Date())
const archiving = setInterval(freshArchive, 1000)
const rules = fileURLToPath(new URL('../deploy/prometheus/alerts.yml', import.meta.url))
const alerts = [...readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const prometheus = await startPrometheus({ directory: dataDir, rules, targets: ports.metrics, port: ports.prometheus })
const { firing, until, query } = prometheus

const lock = (table: string) => lockTable(postgres.superuser, table)
const office = () => makeClient(copies[0].url, agent.token)
const pay = () => office().ask('user/transaction', { id: member.id, amount: '1', remark: '', request_id: randomUUID() })
const view = () => office().ask('user/view', { id: member.id })
const write = (at: 0 | 1) =>
  makeClient(copies[at].url, member.token).ask('sendMessage', {
    code: member.room,
    type: 1,
    content: 'hello',
    request_id: randomUUID(),
  })
const notesOfRoom = async () => {
  const room = await one<{ id: number }>(db, sql`select id from rooms where partner_id = ${member.id}`)
  return () => office().ask('note/list', { room_id: room?.id ?? 0, page: 1, per_page: 20 })
}
const set = async (text: string) => {
  for (const statement of text.split(';')) await run(db, { text: statement, values: [] })
}
const setting = (change: string, back: string) =>
  planted(
    () => set(change),
    () => set(back),
  )

/** What plants the trouble of an alert; the result ends it. */
const troubles: Record<string, () => Promise<() => unknown>> = {
  TallyroomDown: async () => {
    await copies[1].kill()
    return async () => (copies[1] = await startCopy(1))
  },
  TallyroomRestarts: async () => {
    for (let time = 0; time < 3; time++) {
      // Long enough to be read in between.
      await pause(11_000)
      await copies[1].stop()
      copies[1] = await startCopy(1)
    }
    return () => undefined
  },
  TallyroomEventLoopBlocked: async () => {
    const { pid } = copies[1].child
    if (!pid) throw new Error('the copy has no process')
    return again(async () => {
      process.kill(pid, 'SIGSTOP')
      await pause(1200)
      process.kill(pid, 'SIGCONT')
      await pause(300)
    })
  },
  TallyroomOpenFiles: async () => {
    await copies[1].stop()
    copies[1] = await startCopy(1, {
      handles: 400,
      env: { CONNECTIONS: '390', CONNECTIONS_OF_ADDRESS: '0', HEADERS_SECONDS: '90' },
    })
    const sockets: Socket[] = Array.from({ length: 330 }, () =>
      open(ports.web[1], '127.0.0.1').on('error', () => undefined),
    )
    return async () => {
      for (const socket of sockets) socket.destroy()
      await copies[1].stop()
      copies[1] = await startCopy(1)
    }
  },
  TallyroomFaults: async () => {
    const listNotes = await notesOfRoom()
    await set('alter table notes rename to notes_away')
    const stop = again(async () => {
      await listNotes()
      await pause(500)
    })
    return async () => {
      await stop()
      await set('alter table notes_away rename to notes')
    }
  },
  TallyroomSlowCalls: () => slowly('accounts', view),
  TallyroomSlowBatches: () => slowly('wallets', pay),
  TallyroomDatabaseDown: async () => {
    const release = await Promise.all(['wallets', 'rooms'].map(lock))
    return () => Promise.all(release.map((end) => end()))
  },
  TallyroomConnectionsUsedUp: async () => {
    const listNotes = await notesOfRoom()
    const release = await lock('notes')
    const stops = Array.from({ length: 40 }, () => again(listNotes))
    return async () => {
      await release()
      await Promise.all(stops.map((stop) => stop()))
    }
  },
  TallyroomRelayDown: async () => {
    await redis.kill()
    return () => redis.start()
  },
  TallyroomEventsMissed: () => missEvents(),
  TallyroomResyncs: () => missEvents(),
  TallyroomLedgerUneven: setting(
    `update wallets set balance = balance + 1 where account_id = ${member.id} and kind = 1`,
    `update wallets set balance = balance - 1 where account_id = ${member.id} and kind = 1`,
  ),
  TallyroomWalletBelowFloor: setting(
    `alter table wallets drop constraint wallets_floor; update wallets set balance = balance - 10000000 where account_id = ${member.id} and kind = 1`,
    `update wallets set balance = balance + 10000000 where account_id = ${member.id} and kind = 1;
      alter table wallets add constraint wallets_floor check (floor is null or balance >= floor)`,
  ),
  TallyroomRequestParts: withoutRequestParts(db),
  TallyroomMemberWaits: async () => {
    await write(0)
    await set(`update rooms set waiting_since = now() - interval '20 minutes' where partner_id = ${member.id}`)
    return () => set(`update rooms set waiting_since = null, unanswered = 0 where partner_id = ${member.id}`)
  },
  // `set` has one connection, which keeps the lock.
  TallyroomSealBehind: setting(
    `select pg_advisory_lock(${locks.seal}); insert into seal_state (whole_at) values (now() - interval '20 minutes')
      on conflict (id) do update set whole_at = excluded.whole_at`,
    `select pg_advisory_unlock(${locks.seal})`,
  ),
  TallyroomWebhooksStuck: setting(
    `insert into webhooks (top_id, kind, payload, created_at, due_at) values (${agent.topId}, 'member.added', '{}', now() - interval '20 minutes', now() + interval '1 hour')`,
    'delete from webhooks',
  ),
  TallyroomBackupOld: planted(
    () => noteBackup(30),
    () => noteBackup(1),
  ),
  TallyroomNoBackup: planted(
    () => rmSync(join(dataDir, 'last-backup')),
    () => noteBackup(1),
  ),
  TallyroomDrillOld: planted(
    () => note('last-drill', 9 * 24),
    () => note('last-drill', 1),
  ),
  TallyroomArchiveStopped: async () => {
    clearInterval(archiving)
    const long = new Date(Date.now() - 600_000)
    const stopping = setInterval(() => utimesSync(archive, long, long), 200)
    return () => {
      clearInterval(stopping)
      freshArchive()
      setInterval(freshArchive, 1000).unref()
    }
  },
  TallyroomDiskLow: async () => {
    // A copy whose DATA_DIR is a small disk in memory.
    const small = join(dataDir, 'small')
    mkdirSync(small)
    await once(spawn('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', small]), 'exit')
    await copies[1].stop()
    copies[1] = await startServer({ dataDir: small, port: ports.web[1], env: env(1) })
    writeFileSync(join(small, 'last-backup'), `${new Date().toISOString()}\n`)
    writeFileSync(join(small, 'filler'), Buffer.alloc(19_000_000))
    return async () => {
      await copies[1].stop()
      await once(spawn('umount', [small]), 'exit')
      copies[1] = await startCopy(1)
    }
  },
  TallyroomImagesAway: async () => s3.goAway(copies[0].url, member),
  TallyroomPasswordsGuessed: async () =>
    again(async () => {
      await makeClient(copies[0].url).ask('login', { username: `nobody${randomUUID().slice(0, 8)}`, password: 'guess' })
      await pause(500)
    }),
  TallyroomCallsTooOften: async () =>
    again(async () => {
      await Promise.all(Array.from({ length: 60 }, view))
      await pause(200)
    }),
}

/** A table that is locked for most of the time. */
const slowly = async (table: string, call: () => Promise<unknown>) => {
  const stopCalls = again(call)
  const stopLocks = again(async () => {
    const release = await lock(table)
    await pause(1500)
    await release()
    await pause(100)
  })
  return () => stopLocks().then(stopCalls)
}

/** Redis is away while messages are written, and empty when it is back. */
const missEvents = async () => {
  await redis.kill()
  for (let message = 0; message < 5; message++) await write(message % 2 ? 1 : 0)
  await redis.start()
  const stop = again(async () => {
    await write(0)
    await write(1)
    await pause(500)
  })
  return stop
}

const work = () => Promise.all([pay(), view(), write(0), write(1), sendPhoto(copies[0].url, member)])
const missing = alerts.filter((name) => !troubles[name])
if (missing.length) throw new Error(`no trouble is planted for ${missing.join(', ')}`)
let failed = 0
if (!wanted.length || wanted.includes('dashboard')) failed += await checkDashboard({ query, tell, work })
for (const name of wanted.length ? wanted.filter((one) => one !== 'dashboard') : alerts) {
  const already = (await firing()).includes(name)
  const end = await troubles[name]?.()
  const found = await until((now) => now.includes(name), WITHIN_S)
  const others = new Set((await firing()).filter((one) => one !== name))
  await end?.()
  if (found === undefined) failed++
  const seconds = found === undefined ? 'not raised' : Math.round(found)
  tell(JSON.stringify({ alert: name, seconds, already, others: [...others] }))
  await pause(2000)
}
// Those about a past event end some minutes later.
const left = await until((now) => !now.some((name) => !/Restarts|EventsMissed|Resyncs/.test(name)), 120)
tell(left === undefined ? `Still raised: ${(await firing()).join(', ')}` : 'All others have ended.')
for (const copy of copies) await copy.stop()
prometheus.stop()
await db.end()
await redis.kill()
await postgres.stop()
process.exit(failed || left === undefined ? 1 : 0)
