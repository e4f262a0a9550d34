import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '@tallyroom/postgres'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { clearAwayAtExit } from '../../bench/lib/server.ts'
import { makeClient, signIn, signUp } from '../../e2e/support/client.ts'
import { freePort } from '../../e2e/support/server.ts'
import { buildServer } from '../../scripts/build.mjs'
import { root } from '../../scripts/shell.mjs'
import { connect, one, sql } from '../../server/src/data/sql.ts'
import { checkLedger } from '../../server/src/ledger/check/check.ts'
import { addressOf } from '../../server/src/testing/template.ts'

// RUN-01. `npx tsx proofs/operation/rolling.ts [--old COMMIT]`: a copy of an older commit (50 before this one) serves transfers and messages
// while this version migrates, serves beside it on the same database, and goes on alone. Needs redis-server.
const { values } = parseArgs({ options: { old: { type: 'string', default: 'HEAD~50' } } })
const PHASE_MS = 10_000
const say = (line: string) => process.stdout.write(`${line}\n`)

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-rolling-'))
clearAwayAtExit(folder)
const old = join(folder, 'old')
mkdirSync(old)
execFileSync('sh', ['-c', `git archive "$0" | tar -x -C "$1"`, values.old, old], { cwd: root })
symlinkSync(join(root, 'node_modules'), join(old, 'node_modules'))
const build = `import('./scripts/build.mjs').then((m) => m.buildServer())`
execFileSync(process.execPath, ['--input-type=module', '-e', build], { cwd: old })
await buildServer()
const commit = execFileSync('git', ['rev-parse', '--short', values.old], { cwd: root, encoding: 'utf8' }).trim()

const redisPort = await freePort()
const redis = spawn('redis-server', ['--port', String(redisPort), '--save', '', '--bind', '127.0.0.1'], {
  stdio: 'ignore',
})
const postgres = await startPostgres({ dataDir: join(folder, 'data') })
const env = {
  ...process.env,
  NODE_ENV: 'production',
  DATABASE_URL: addressOf(postgres.app),
  DATABASE_OWNER_URL: addressOf(postgres.owner),
  REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  TALLYROOM_KEY: '5e'.repeat(32),
  ADMIN_PASSWORD: 'rolling-Passw0rd',
  CALL_LIMITS: 'off',
  DRAIN_SECONDS: '2',
}
const running = new Set<ChildProcess>()
const start = async (name: string, directory: string) => {
  const port = await freePort()
  const child = spawn(process.execPath, [join(directory, 'server/dist/main.js')], {
    env: { ...env, PORT: String(port), DATA_DIR: join(folder, name) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += String(chunk)
      if (output.includes('is ready at')) resolve()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('exit', (code) => reject(new Error(`${name} ended (${code}): ${output}`)))
  })
  const stop = () =>
    new Promise<number | null>((resolve) => {
      child.once('exit', resolve)
      child.kill('SIGTERM')
    })
  return { name, url: `http://127.0.0.1:${port}`, stop, errors: () => output.match(/"level":"(error|fatal)".*/g) ?? [] }
}
process.once('exit', () => {
  redis.kill('SIGKILL')
  for (const child of running) child.kill('SIGKILL')
})

const first = await start('old', old)
const admin = await signIn(first.url, 'admin', 'rolling-Passw0rd')
const { share_code } = await admin.call('user/view', {})
const member = await signUp(first.url, share_code, 'rolling')
const code = (await member.call('room/list', {})).data[0]?.code ?? ''
const db = connect({ ...postgres.superuser, max: 2 })

const failures: string[] = []
const counts = { transfers: 0, messages: 0 }
/** Writes to these copies in turn; each write that is not answered with success is a failure. */
const load = async (copies: { name: string; url: string }[], until: () => boolean) => {
  const work = Array.from({ length: 4 }, async (_, at) => {
    for (let n = at; !until(); n++) {
      const copy = copies[n % copies.length] ?? first
      const client = makeClient(copy.url, admin.token)
      const request_id = randomUUID()
      const isTransfer = n % 2 === 0
      const reply = await (isTransfer
        ? client.ask('user/transaction', { id: member.id, amount: '1', remark: 'rolling', request_id })
        : client.ask('sendMessage', { code, type: MessageType.text, content: `words ${n}`, request_id })
      ).catch((error: Error) => ({ code: 0, message: error.message }))
      if (reply.code === OK) counts[isTransfer ? 'transfers' : 'messages']++
      else failures.push(`${copy.name}: ${isTransfer ? 'transfer' : 'message'}: ${reply.code} ${reply.message}`)
    }
  })
  await Promise.all(work)
}
const phase = async (name: string, copies: { name: string; url: string }[], work: () => Promise<unknown>) => {
  let isOver = false
  const [before, began] = [{ ...counts }, performance.now()]
  const loading = load(copies, () => isOver)
  await work()
  isOver = true
  await loading
  const took = ((performance.now() - began) / 1000).toFixed(1)
  say(
    `${name}: ${counts.transfers - before.transfers} transfers, ${counts.messages - before.messages} messages in ${took} s`,
  )
}

await phase(`the copy of ${commit} alone`, [first], () => pause(PHASE_MS))
let second = first
await phase('while this version migrates and starts', [first], async () => (second = await start('new', root)))
await phase('both versions', [first, second], () => pause(PHASE_MS))
// A balancer that sees /readyz fail sends to the other one.
await phase('while the old one drains', [second], first.stop)
await phase('this version alone', [second], () => pause(PHASE_MS / 2))

const stored = await one<{ transfers: number; messages: number }>(
  db,
  sql`select (select count(*)::int from transfers where remark = 'rolling') as transfers,
    (select count(*)::int from messages where content like 'words %') as messages`,
)
if (stored?.transfers !== counts.transfers || stored.messages !== counts.messages)
  failures.push(`stored are ${JSON.stringify(stored)}, answered ${JSON.stringify(counts)}`)
for (const { rule, breaches } of await checkLedger(db, 'UTC'))
  for (const { what } of breaches) failures.push(`${rule}: ${what}`)
failures.push(...first.errors(), ...second.errors())
for (const failure of new Set(failures)) say(`✗ ${failure.slice(0, 300)}`)
say(
  failures.length
    ? `${failures.length} failures`
    : 'no write failed, nothing was lost or doubled, and the ledger is sound',
)
process.exitCode = failures.length ? 1 : 0
await db.end()
await second.stop()
await postgres.stop()
process.exit()
