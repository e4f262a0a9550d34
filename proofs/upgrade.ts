import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { startPostgres } from '@tallyroom/postgres'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { clearAwayAtExit } from '../bench/lib/server.ts'
import { type Client, makeClient, type Reply } from '../e2e/support/client.ts'
import { startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'
import { connect, many, one, sql } from '../server/src/data/sql.ts'
import { checkLedger } from '../server/src/ledger/check/check.ts'
import { addressOf } from '../server/src/testing/template.ts'

// RUN-01. `npx tsx proofs/upgrade.ts [--transfers 10000000] [--old DIRECTORY] [--keep FILE]`: an old copy with so many
// transfers serves points and messages while this version migrates the database and takes over.

/** The last commit before the migrations that rewrote `transfers` and made indexes while nobody could write. */
const OLD = 'b56f70a'
const PAYERS = 8
const WRITERS = 4
const { values } = parseArgs({
  options: {
    transfers: { type: 'string', default: '10000000' },
    old: { type: 'string' },
    keep: { type: 'string' },
  },
})
const transfers = Number(values.transfers)
const run = promisify(execFile)
const tell = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** The old version, installed and built in a directory of its own. */
const oldVersion = async (): Promise<string> => {
  const directory = values.old ?? join(mkdtempSync(join(tmpdir(), 'tallyroom-old-')), 'tallyroom')
  if (!existsSync(directory)) await run('git', ['worktree', 'add', '--detach', directory, OLD])
  if (!existsSync(join(directory, 'node_modules'))) await run('npm', ['ci'], { cwd: directory })
  const build = `import('./scripts/build.mjs').then((m) => m.buildServer())`
  await run(process.execPath, ['--input-type=module', '-e', build], { cwd: directory })
  return directory
}

type Person = { id: number; token: string; room: string }

/** Fills the database with the old version's own loader. Returns an agent's session and members below it. */
const fill = async (directory: string, config: object): Promise<{ agents: Person[]; members: Person[] }> => {
  const script = `
    import { makePeople, topAccount } from './bench/lib/people.ts'
    import { load } from './bench/report/load.ts'
    import { connect } from './server/src/db.ts'
    import { makeFirstAccount } from './server/src/first-account.ts'
    import { migrate } from './server/src/migrate.ts'
    const config = ${JSON.stringify(config)}
    await migrate(config)
    const db = connect({ ...config, max: 1 })
    await makeFirstAccount(db, 'proof-Passw0rd')
    await load(config, ${transfers})
    const agents = await makePeople(db, { role: 2, under: [await topAccount(db)], each: 2, prefix: 'desk', credit: 10n ** 18n })
    const members = await makePeople(db, { role: 4, under: agents, each: ${PAYERS}, prefix: 'guest' })
    await db.end()
    const shown = (all) => all.map(({ id, token, room }) => ({ id, token, room }))
    process.stdout.write('\\n' + JSON.stringify({ agents: shown(agents), members: shown(members) }))
    process.exit(0)`
  const tsx = join(directory, 'node_modules/tsx/dist/cli.mjs')
  const { stdout } = await run(process.execPath, [tsx, '--input-type=module', '-e', script], { cwd: directory })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n'))) as { agents: Person[]; members: Person[] }
}

/** Starts the old version on the database. Its output is dropped. */
const startOld = async (directory: string, env: Record<string, string>, port: number) => {
  const child = spawn(process.execPath, [join(directory, 'server/dist/main.js')], {
    cwd: directory,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  for (let left = 300; ; left--) {
    if (
      await fetch(`${url}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false)
    )
      break
    if (left === 0 || child.exitCode !== null) throw new Error('the old version did not start')
    await pause(200)
  }
  return { url, stop: () => child.kill('SIGTERM') }
}

type Tally = { done: number; longest: number; failed: string[]; phases: Record<string, number> }
const makeTally = (): Tally => ({ done: 0, longest: 0, failed: [], phases: {} })
const [payments, messages] = [makeTally(), makeTally()]
let phase = 'before'
let isOver = false
const count = (tally: Tally, began: number, failure?: string) => {
  const took = performance.now() - began
  tally.longest = Math.max(tally.longest, took)
  tally.phases[phase] = Math.max(tally.phases[phase] ?? 0, took)
  if (failure) tally.failed.push(`${phase}: ${failure}`)
  else tally.done++
}

let url = ''
/** One call after another on the copy that serves. */
const repeat = async (
  token: string,
  tally: Tally,
  send: (client: Client) => Promise<Pick<Reply, 'code' | 'message'>>,
) => {
  while (!isOver) {
    const began = performance.now()
    const reply = await send(makeClient(url, token)).catch((error: Error) => ({
      code: 0,
      message: error.message,
    }))
    count(tally, began, reply.code === OK ? undefined : `${reply.code} ${reply.message}`)
    await pause(20)
  }
}
const pay = (agent: Person, { id }: Person) =>
  repeat(agent.token, payments, (client) =>
    client.ask('user/transaction', { id, amount: '1.0001', remark: 'upgrade', request_id: randomUUID() }),
  )
const write = ({ token, room: code }: Person) =>
  repeat(token, messages, (client) =>
    client.ask('sendMessage', { code, type: MessageType.text, content: 'upgrade', request_id: randomUUID() }),
  )

const directory = await oldVersion()
await buildServer()
const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-upgrade-'))
clearAwayAtExit(dataDir)
const postgres = await startPostgres({ dataDir })
const first = connect({ ...postgres.superuser, max: 1 })
await first.query('create database upgrade', [])
await first.end()
const config = { ...postgres.superuser, database: 'upgrade' }
const began = performance.now()
const { agents, members } = await fill(directory, config)
tell(`${transfers} transfers made by the version of ${OLD} in ${seconds(began)}`)

const env = {
  NODE_ENV: 'production',
  DATABASE_URL: addressOf(config),
  DATA_DIR: dataDir,
  CALL_LIMITS: 'off',
  TALLYROOM_KEY: 'b0'.repeat(32),
  REDIS_URL: '',
}
const old = await startOld(directory, env, 22_100)
url = old.url
const [desk] = agents
if (!desk) throw new Error('the loader made no agent')
const load = Promise.all([
  ...members.slice(0, PAYERS).map((member) => pay(desk, member)),
  ...members.slice(0, WRITERS).map(write),
])
await pause(5000)
phase = 'migrating'
const migrating = performance.now()
const fresh = await startServer({ env, dataDir })
tell(`migrated and ready in ${seconds(migrating)}`)
phase = 'both'
await pause(5000)
url = fresh.url.replace('localhost', '127.0.0.1')
phase = 'after'
await pause(3000)
old.stop()
await pause(5000)
isOver = true
await load

const db = connect({ ...config, max: 2 })
const broken = (await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)
const stored = await one<{ payments: string; messages: string }>(
  db,
  sql`select (select count(*) from transfers where remark = 'upgrade') as payments,
    (select count(*) from messages where content = 'upgrade') as messages`,
)
const times = await many<{ name: string }>(db, sql`select name from schema_migrations order by name`)
const result = {
  transfers,
  migrations: times.length,
  payments: {
    ...payments,
    failed: payments.failed.length,
    examples: payments.failed.slice(0, 3),
    stored: Number(stored?.payments),
  },
  messages: {
    ...messages,
    failed: messages.failed.length,
    examples: messages.failed.slice(0, 3),
    stored: Number(stored?.messages),
  },
  broken: broken.map(({ rule, breaches }) => `${rule}: ${breaches.length}`),
}
tell(JSON.stringify(result, undefined, 2))
if (values.keep) appendFileSync(values.keep, `${JSON.stringify(result)}\n`)
await db.end()
await fresh.stop()
await postgres.stop()
process.exit(broken.length || payments.failed.length || messages.failed.length ? 1 : 0)
