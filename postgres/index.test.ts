import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { findPackage } from './binaries.ts'
import { isReadable } from './data-dir.ts'
import { identity, isAlive } from './process.ts'
import { runningPostgres, startPostgres } from './index.ts'

/** Built: the source would be compiled at each start. Beside the server, from where it finds its packages. */
const program = fileURLToPath(new URL('../server/dist/postgres-child.js', import.meta.url))
buildSync({
  entryPoints: [fileURLToPath(new URL('./testing/child.ts', import.meta.url))],
  outfile: program,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
})
const isRoot = process.getuid?.() === 0
/** "daemon" is in every /etc/passwd; initdb needs a user with a name. */
const ORDINARY = 1
/** The other user must be able to read this repository, which is not so inside root's home. */
const canBeOthers = isRoot && isReadable(program, { uid: ORDINARY, gid: ORDINARY })

const base = mkdtempSync(join(tmpdir(), 'tallyroom-pg-'))
chmodSync(base, 0o755)
const children: ChildProcess[] = []
const postmasters = new Set<number>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const pid of postmasters) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

let count = 0
const newDirectory = () => join(base, `data-${++count}`)

let made: Promise<string> | undefined
const makeOne = async () => {
  const dataDir = newDirectory()
  await (await startPostgres({ dataDir, durable: false })).stop()
  return dataDir
}
/** A directory with a stopped database, as a copy of one: making a database takes a second of a processor. */
const madeDirectory = async () => {
  const [from, to] = [await (made ??= makeOne()), newDirectory()]
  execFileSync('cp', ['-a', from, to])
  return to
}

type Said = { url: string; pid: number; adopted: boolean; refused?: string }

/** Starts it in a process of its own, as another user if given, and waits for its first line. */
const start = async (dataDir: string, { uid, tag = 'quick' }: { uid?: number; tag?: string } = {}) => {
  const child = spawn(process.execPath, [program, dataDir, tag], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  children.push(child)
  const died = once(child, 'exit').then(() => Promise.reject(new Error('The child ended without a word')))
  died.catch(() => undefined)
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), died])) as [string]
  const said = JSON.parse(line) as Said
  if (said.pid) postmasters.add(said.pid)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await once(child, 'exit')
  }
  return { ...said, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

const query = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}
const keepSomething = (url: string) => query(url, `CREATE TABLE kept AS SELECT 'here' AS word`)
const whatWasKept = (url: string) => query(url, 'SELECT word FROM kept')
const kept = [{ word: 'here' }]
const gone = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false)
const refusal = async (dataDir: string) => {
  const error: unknown = await startPostgres({ dataDir, durable: false }).then(
    ({ stop }) => stop(),
    (reason: unknown) => reason,
  )
  return error instanceof Error ? `${error.name}: ${error.message}` : error
}

test('the second start finds the first one’s data, and both stop cleanly', async () => {
  const dataDir = newDirectory()
  const first = await startPostgres({ dataDir, durable: false })
  expect(await query(first.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
  expect(await query(first.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }])
  expect(statSync(first.app.host).mode & 0o777).toBe(0o700)
  await keepSomething(first.url)
  const pid = first.pid()
  await first.stop()
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(join(dataDir, 'tallyroom.lock'))).toBe(false)
  const second = await startPostgres({ dataDir, durable: false })
  expect(await whatWasKept(second.url)).toEqual(kept)
  await second.stop()
})

test('by default an answered commit is on disk', async () => {
  const { url, stop } = await startPostgres({ dataDir: await madeDirectory() })
  const settings = `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY 1`
  expect((await query(url, settings)).map(({ setting }) => setting)).toEqual(['on', 'on', 'on'])
  await stop()
})

test('after kill -9 the next start takes over the running server, and stops it in the end', async () => {
  const dataDir = await madeDirectory()
  const killed = await start(dataDir)
  await keepSomething(killed.url)
  await killed.kill()
  expect(isAlive(killed.pid)).toBe(true)
  const next = await start(dataDir)
  expect(next).toMatchObject({ pid: killed.pid, adopted: true })
  expect(await whatWasKept(next.url)).toEqual(kept)
  await next.stop()
  expect(isAlive(killed.pid)).toBe(false)
})

test('after kill -9 of both the next start recovers', async () => {
  const dataDir = await madeDirectory()
  const killed = await start(dataDir, { tag: 'durable' })
  await keepSomething(killed.url)
  await killed.kill()
  process.kill(killed.pid, 'SIGKILL')
  await gone(killed.pid)
  const next = await start(dataDir)
  expect(next.adopted).toBe(false)
  expect(await whatWasKept(next.url)).toEqual(kept)
  await next.stop()
})

test('kill -9 of the database alone: it is started again', async () => {
  let onRestart: (line: string) => void = () => undefined
  const restarting = new Promise<string>((resolve) => (onRestart = resolve))
  const { url, pid, stop } = await startPostgres({
    dataDir: await madeDirectory(),
    log: (line) => /again/.test(line) && onRestart(line),
  })
  await keepSomething(url)
  process.kill(pid(), 'SIGKILL')
  await restarting
  await expect.poll(() => whatWasKept(url).catch(() => undefined), { timeout: 15_000 }).toEqual(kept)
  await stop()
})

test('kill -9 during the very first start does not disturb the next one', async () => {
  const dataDir = newDirectory()
  const child = spawn(process.execPath, [program, dataDir], { stdio: 'ignore' })
  const draft = () => existsSync(dataDir) && lstatSync(join(dataDir, 'tallyroom.lock'), { throwIfNoEntry: false })
  await expect.poll(draft, { interval: 5 }).toBeTruthy()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { url, stop } = await startPostgres({ dataDir, durable: false })
  await keepSomething(url)
  await stop()
})

test('a pid file with the pid of another program is ignored', async () => {
  const dataDir = await madeDirectory()
  const { stop } = await startPostgres({ dataDir, durable: false })
  await stop()
  const socket = join(dataDir, 'socket')
  writeFileSync(
    join(dataDir, 'postgres/postmaster.pid'),
    `${process.pid}\n${dataDir}/postgres\n1\n5432\n${socket}\n\n\n`,
  )
  writeFileSync(join(dataDir, 'tallyroom.lock'), `${process.pid} another-boot/1\n`)
  const next = await startPostgres({ dataDir, durable: false })
  expect(next.adopted).toBe(false)
  await next.stop()
})

test('a directory in use by another Tallyroom is refused in one line, and the other goes on', async () => {
  const dataDir = await madeDirectory()
  expect(await runningPostgres(dataDir)).toBeUndefined()
  const first = await start(dataDir)
  expect(await runningPostgres(dataDir)).toMatchObject({ app: { database: 'tallyroom' } })
  expect(await refusal(dataDir)).toMatch(/^PostgresError: Another Tallyroom \(process \d+\) is using .*DATA_DIR=/)
  await keepSomething(first.url)
  await first.stop()
})

test('of many starts at once exactly one succeeds', async () => {
  const dataDir = newDirectory()
  const starts = await Promise.allSettled([1, 2, 3, 4].map(() => startPostgres({ dataDir, durable: false })))
  const begun = starts.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(begun.length).toBe(1)
  await begun[0]?.stop()
})

test('a broken, foreign or unwritable directory is refused in one line that says what to do', async () => {
  const dataDir = await madeDirectory()
  const { stop } = await startPostgres({ dataDir, durable: false })
  await stop()
  const version = join(dataDir, 'postgres/PG_VERSION')
  writeFileSync(version, '17\n')
  expect(await refusal(dataDir)).toMatch(
    /^PostgresError: .* made by PostgreSQL 17, .* is PostgreSQL 18\. Carry it over: npm run database -- upgrade/,
  )
  writeFileSync(version, '18\n')
  writeFileSync(join(dataDir, 'postgres/global/pg_control'), 'x'.repeat(8192))
  expect(await refusal(dataDir)).toMatch(/^PostgresError: .* does not start: (FATAL|PANIC): .*put back a backup/)
  rmSync(version)
  expect(await refusal(dataDir)).toMatch(/^PostgresError: .* is damaged: .*backup/)
  const file = join(base, 'a-file')
  writeFileSync(file, '')
  expect(await refusal(join(file, 'data'))).toMatch(/^PostgresError: Cannot write to the data directory .*DATA_DIR=/)
})

test('a platform without a PostgreSQL package gets the advice to set DATABASE_URL', () => {
  expect(() => findPackage('win32-x64')).toThrow(
    /brings no PostgreSQL for win32-x64\. Set DATABASE_URL or POSTGRES_BIN/,
  )
})

test('[RUN-01] programs that are named are run; where there are none, the start says so', async () => {
  const programs = join(findPackage().path, 'native/bin')
  const dataDir = await madeDirectory()
  const postgres = await startPostgres({ dataDir, durable: false, programs })
  await postgres.stop()
  const empty = newDirectory()
  await expect(startPostgres({ dataDir: newDirectory(), durable: false, programs: empty })).rejects.toThrow(
    `POSTGRES_BIN is ${empty}, where PostgreSQL's programs cannot be run`,
  )
})

test('[RUN-01] a database that an upgrade has put aside is not replaced by an empty one', async () => {
  const dataDir = newDirectory()
  mkdirSync(join(dataDir, 'postgres-17'), { recursive: true })
  await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow('Rename that one to postgres')
})

test('a path too long for a socket is replaced by a short one', async () => {
  const dataDir = join(newDirectory(), 'a-very-long-name'.repeat(7))
  const { url, app, stop } = await startPostgres({ dataDir, durable: false })
  expect(app.host.startsWith(dataDir)).toBe(false)
  await keepSomething(url)
  await stop()
})

test.runIf(isRoot)('as root the database runs as another user', async () => {
  const dataDir = await madeDirectory()
  const { pid, stop } = await startPostgres({ dataDir, durable: false })
  if (process.platform === 'linux') expect(readFileSync(`/proc/${pid()}/status`, 'utf8')).toMatch(/^Uid:\s+65534/m)
  expect(statSync(join(dataDir, 'postgres')).uid).toBe(65_534)
  await stop()
})

test.runIf(isRoot)('as root, below a directory closed to others, it is stored elsewhere and found again', async () => {
  const closed = newDirectory()
  mkdirSync(closed, { mode: 0o700 })
  const dataDir = join(closed, 'data')
  const first = await startPostgres({ dataDir, durable: false })
  await keepSomething(first.url)
  await first.stop()
  const elsewhere = dirname(readlinkSync(join(dataDir, 'postgres')))
  const second = await startPostgres({ dataDir, durable: false })
  expect(await whatWasKept(second.url)).toEqual(kept)
  await second.stop()
  rmSync(elsewhere, { recursive: true })
  expect(await refusal(dataDir)).toMatch(/^PostgresError: The database was kept in .*, which is gone\./)
})

test.runIf(canBeOthers)('a user without a name is refused in one line', async () => {
  const dataDir = newDirectory()
  mkdirSync(dataDir)
  chownSync(dataDir, 12_345, 12_345)
  expect((await start(dataDir, { uid: 12_345 })).refused).toMatch(
    /^PostgresError: .* uid 12345 has none in .*DATABASE_URL/,
  )
})

test.runIf(canBeOthers)(
  'an ordinary user has a database of their own; root may start it, but not the reverse',
  async () => {
    const dataDir = newDirectory()
    mkdirSync(dataDir)
    chownSync(dataDir, ORDINARY, ORDINARY)
    const his = await start(dataDir, { uid: ORDINARY })
    await keepSomething(his.url)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(ORDINARY)
    await his.stop()
    const byRoot = await start(dataDir)
    expect(await whatWasKept(byRoot.url)).toEqual(kept)
    await byRoot.stop()
    const again = await start(dataDir, { uid: ORDINARY })
    expect(await whatWasKept(again.url)).toEqual(kept)
    await again.stop()
    const roots = newDirectory()
    await (await start(roots)).stop()
    expect((await start(roots, { uid: ORDINARY })).refused).toMatch(
      /^PostgresError: Cannot write .* Start Tallyroom as the user who owns it/,
    )
  },
)

test('a process is distinguished from the next one with its pid', () => {
  expect(identity(process.pid)).toBe(identity(process.pid))
  expect(identity(process.pid)).not.toBe(identity(process.ppid))
  expect(identity(0)).toBeUndefined()
})
