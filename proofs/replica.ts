import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { MessageType } from '@tallyroom/contract/codes'
import { makeClient, signIn, signUp } from '../e2e/support/client.ts'
import { startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'
import { settingsFrom } from '../server/src/config/settings.ts'
import { configOf } from '../server/src/data/access.ts'
import { connect } from '../server/src/data/sql.ts'
import { pooler } from '../server/src/doctor/pooler.ts'
import { standbys } from '../server/src/doctor/standbys.ts'
import { asPostgres, ask, startPair, until } from './standby.ts'

// RUN-08. `npx tsx proofs/replica.ts [--round-robin]`: the server behind PgBouncer in transaction mode, with a standby for reading. Each payment
// is looked for in the history at once, also while the standby stands still. Then the doctor looks at standby and pooler.
const CLIENTS = 8
const PHASE_MS = 6000
const [primary, standby, bouncerPort] = [25_601, 25_602, 25_603] as const
const say = (line: string) => process.stdout.write(`${line}\n`)

await buildServer()
const directory = mkdtempSync(join(tmpdir(), 'tallyroom-replica-'))
chmodSync(directory, 0o755)
const cluster = await startPair(join(directory, 'pair'), [primary, standby])
await ask(primary, 'create database tallyroom')
const config = join(directory, 'pgbouncer.ini')
writeFileSync(join(directory, 'users.txt'), '"postgres" ""\n')
// Fewer connections of the server than of the client: transactions of one client meet those of others.
writeFileSync(
  config,
  `[databases]
tallyroom = host=127.0.0.1 port=${primary} dbname=tallyroom user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${bouncerPort}
auth_type = any
auth_file = ${join(directory, 'users.txt')}
pool_mode = transaction
default_pool_size = 5
server_round_robin = ${process.argv.includes('--round-robin') ? 1 : 0}
unix_socket_dir =
`,
)
const { command, args } = asPostgres('pgbouncer', ['-q', config])
const bouncer = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
process.once('exit', () => {
  bouncer.kill('SIGKILL')
  cluster.stop()
  rmSync(directory, { recursive: true, force: true })
})
await pause(500)
const at = (port: number) => `postgresql://postgres@127.0.0.1:${port}/tallyroom`
const server = await startServer({
  env: {
    DATABASE_URL: at(bouncerPort),
    DATABASE_POOLER: 'transaction',
    DATABASE_OWNER_URL: at(primary),
    DATABASE_READ_URL: at(standby),
    TALLYROOM_KEY: '5e'.repeat(32),
  },
})
const admin = await signIn(server.url, 'admin', server.password)
const { share_code } = await admin.call('user/view', {})
const member = await signUp(server.url, share_code, 'reader')
const { data } = await member.call('room/list', {})
const code = data[0]?.code ?? ''
const moment = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
const range = { start_time: moment(-3_600_000), end_time: moment(3_600_000) }

const readsOfStandby = async () => {
  const [row] = await ask<{ count: string }>(
    standby,
    `select xact_commit as count from pg_stat_database where datname = 'tallyroom'`,
  )
  return Number(row?.count)
}
const failures: string[] = []
/** Pays, writes and looks at once whether the history has it. */
const phase = async (name: string) => {
  const end = performance.now() + PHASE_MS
  const before = await readsOfStandby()
  let [reads, stale] = [0, 0]
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = makeClient(server.url, admin.token)
      while (performance.now() < end) {
        const paid = { id: member.id, amount: '1', remark: 'replica', request_id: randomUUID() }
        const { transaction_id } = await client.call('user/transaction', paid)
        await client.call('sendMessage', {
          code,
          type: MessageType.text,
          content: transaction_id,
          request_id: randomUUID(),
        })
        const list = await client.call('transaction/list', range)
        reads++
        if (!list.data.some((row) => row.transaction_id === transaction_id)) stale++
      }
    }).map((work) => work.catch((error: Error) => failures.push(error.message))),
  )
  await pause(1500)
  const share = (await readsOfStandby()) - before
  say(`${name}: ${reads} times paid, written and looked, ${stale} stale; ${share} transactions at the standby`)
  if (stale) process.exitCode = 1
}
await phase('standby up to date')
await ask(standby, 'select pg_wal_replay_pause()')
await until(
  async () => (await ask(standby, `select where pg_get_wal_replay_pause_state() = 'paused'`)).length > 0,
  'pausing',
)
await phase('standby stands still')
await ask(standby, 'select pg_wal_replay_resume()')
await phase('standby goes on')

/** What the doctor says of these settings. */
const doctor = async (env: NodeJS.ProcessEnv, wanted: RegExp[]) => {
  const settings = settingsFrom(env)
  const db = connect({ ...configOf(at(primary)), max: 1 })
  const found = [...(await pooler({ settings })), ...(await standbys({ db, settings }))]
  await db.end()
  for (const { state, found: words } of found) say(`doctor: ${state}: ${words}`)
  const missing = wanted.filter((one) => !found.some(({ found: words }) => one.test(words)))
  failures.push(...missing.map((one) => `the doctor does not say ${String(one)}`))
}
const urls = { DATABASE_URL: at(bouncerPort), DATABASE_OWNER_URL: at(primary), DATABASE_READ_URL: at(standby) }
const isStandby = new RegExp(`:${standby} \\(DATABASE_READ_URL\\) is a standby, [\\d.]+ MB behind`)
const all = [/in transaction mode, as DATABASE_POOLER says/, isStandby, /The primary is followed by .*sync/]
await doctor({ ...urls, DATABASE_POOLER: 'transaction' }, all)
await doctor(urls, [/in transaction mode, but DATABASE_POOLER is not set/])
await doctor({ ...urls, DATABASE_OWNER_URL: at(bouncerPort) }, [/DATABASE_OWNER_URL leads through a pooler/])
/** Migrations through the pooler would leave their lock in a connection of the pool. */
const ofOwner = { ...urls, DATABASE_POOLER: 'transaction', DATABASE_OWNER_URL: at(bouncerPort) }
const sentence = 'The connection for migrations leads through a pooler in transaction mode.'
const refusedStart = await startServer({ env: ofOwner }).then(
  async (started) => `it starts: ${(await started.remove()) ?? ''}`,
  (error: Error) => error.message,
)
const migrate = fileURLToPath(new URL('../server/dist/migrate.js', import.meta.url))
const refusedMigration = spawnSync(process.execPath, [migrate], {
  env: { ...process.env, ...ofOwner },
  encoding: 'utf8',
})
for (const [what, words] of [
  ['start', refusedStart],
  ['migrate', refusedMigration.stderr],
] as const) {
  say(`${what} with DATABASE_OWNER_URL through the pooler: ${words.trim().split('\n').at(-1) ?? ''}`)
  if (!words.includes(sentence)) failures.push(`${what} is not refused: ${words}`)
}
await ask(primary, `select pg_create_physical_replication_slot('forgotten', true)`)
await doctor(urls, [/Nobody reads the replication slot "forgotten"/])
for (const failure of new Set(failures)) say(`✗ ${failure}`)
if (failures.length) process.exitCode = 1
await server.remove()
process.exit()
