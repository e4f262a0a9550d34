import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MessageType } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { connectionOf } from '../bench/lib/server.ts'
import { type Client, makeClient, signIn, signUp } from '../e2e/support/client.ts'
import { ledgerCheck } from '../e2e/support/faults/kills.ts'
import { type Server, type ServerProcess, startServer } from '../e2e/support/server.ts'
import { type Database, connect, many, sql } from '../server/src/data/sql.ts'

// R14 with the built server and commands, following docs/operations/backup.md: build first.
const base = mkdtempSync(join(tmpdir(), 'tallyroom-proof-'))
chmodSync(base, 0o755)
const cleaning: (() => unknown)[] = []
afterAll(async () => {
  for (const clean of cleaning.reverse()) await clean()
  rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}, 120_000)
const BACKUP_KEY = 'be'.repeat(32)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const run = promisify(execFile)

/** `npm run NAME -- …` without the build before it. */
const command = (name: string, args: string[], env: Record<string, string>) =>
  run(process.execPath, [fileURLToPath(new URL(`../server/dist/${name}.js`, import.meta.url)), ...args], {
    env: { ...process.env, DATABASE_URL: '', ...env },
  })

const begin = async (options: Parameters<typeof startServer>[0]): Promise<ServerProcess> => {
  const server = await startServer(options)
  cleaning.push(() => server.remove())
  return server
}

type SentRequest = { request_id: string; began: number; answered?: number }

/** Eight clients that give points and record it, until they are stopped. */
const load = (server: Server, token: string, member: number, code: string) => {
  const requests: SentRequest[] = []
  let going = true
  const client = async (n: number) => {
    const own = makeClient(server.url, token)
    while (going) {
      const request: SentRequest = { request_id: randomUUID(), began: Date.now() }
      requests.push(request)
      const { request_id } = request
      const { code: answer } =
        n % 2
          ? await own.ask('user/transaction', { id: member, amount: '1', remark: 'proof', request_id })
          : await own.ask('sendMessage', { code, type: MessageType.text, content: request_id, request_id })
      expect(answer).toBe(OK)
      request.answered = Date.now()
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, (_, n) => client(n)))
  return {
    requests,
    stop: async () => {
      going = false
      await clients
    },
  }
}

const picture = async (red: number) => {
  const body = await sharp({ create: { width: 40, height: 30, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${body.toString('base64')}`
}
/** Sends a picture and gives back its address. */
const show = async (client: Client, code: string, red: number): Promise<string> => {
  const image = await picture(red)
  const { content } = await client.call('sendMessage', {
    code,
    type: MessageType.image,
    content: image,
    request_id: randomUUID(),
  })
  return content
}

const settled = async (db: Database) =>
  new Set((await many<{ id: string }>(db, sql`select request_id::text as id from requests`)).map(({ id }) => id))

/** Checks the restored server, and goes on writing. */
const isWell = async (
  server: Server,
  member: { id: number; token: string | undefined },
  code: string,
  pictures: string[],
) => {
  const said = await ledgerCheck(server)
  expect(said).toContain('✓')
  expect(said).not.toContain('✗')
  const env = { DATA_DIR: server.dataDir }
  expect((await command('audit-verify', [], env)).stdout).toMatch(/^✓/)
  expect((await command('key', [], env)).stdout).toMatch(/^✓/)
  const admin = await signIn(server.url, 'admin', server.password)
  for (const path of pictures) {
    const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${admin.token}` } })
    expect(`${answer.status} ${answer.headers.get('content-type')}`).toBe('200 image/webp')
  }
  expect((await makeClient(server.url, member.token).ask('room/list', {})).code).toBe(errors['session.dead'])
  const more = { id: member.id, amount: '1', remark: 'again', request_id: randomUUID() }
  expect((await admin.ask('user/transaction', more)).code).toBe(OK)
  expect(
    (await admin.ask('sendMessage', { code, type: MessageType.text, content: 'again', request_id: randomUUID() })).code,
  ).toBe(OK)
}

test('[R14] a server is backed up while points move, and restored to a later moment, and with all it answered', async () => {
  const archive = join(base, 'wal')
  const backup = join(base, 'backup')
  const first = await begin({ env: { WAL_ARCHIVE: archive } })
  const admin = await signIn(first.url, 'admin', first.password)
  const { share_code } = await admin.call('user/view', {})
  const member = await signUp(first.url, share_code, 'kept')
  const code = (await member.call('room/list', {})).data[0]?.code ?? ''
  const before = await show(admin, code, 200)
  const { requests, stop } = load(first, admin.token ?? '', member.id, code)
  await pause(1500)
  await command('backup', [backup], { DATA_DIR: first.dataDir })
  const answered = () => requests.filter((request) => request.answered).length
  const whileBackedUp = answered()
  const sealed = join(base, 'sealed')
  await command('backup', [sealed], { DATA_DIR: first.dataDir, BACKUP_KEY })
  await pause(1500)
  const after = await show(admin, code, 100)
  await pause(500)
  const moment = new Date()
  await pause(1500)
  await stop()
  await first.stop()
  expect(answered()).toBeGreaterThan(whileBackedUp)

  const put = async (name: string, args: string[], from = backup) => {
    const dataDir = join(base, name)
    const env = { DATA_DIR: dataDir, ...(from === sealed ? { BACKUP_KEY } : {}) }
    const { stdout } = await command('restore', [from, '--archive', archive, ...args], env)
    expect(stdout).toContain('✓')
    cpSync(join(first.dataDir, 'installation.key'), join(dataDir, 'installation.key'))
    cpSync(join(first.dataDir, 'media'), join(dataDir, 'media'), { recursive: true })
    const server = await begin({ dataDir })
    const db = connect({ ...connectionOf(dataDir).connection, max: 1 })
    const there = await settled(db)
    await db.end()
    await isWell(server, member, code, [before, after])
    return there
  }
  const then = await put('then', ['--until', moment.toISOString()])
  const lost = requests.filter(
    ({ request_id, answered }) => answered && answered < moment.getTime() && !then.has(request_id),
  )
  const late = requests.filter(({ request_id, began }) => began > moment.getTime() && then.has(request_id))
  expect({ lost, late }).toEqual({ lost: [], late: [] })
  expect(requests.some(({ began }) => began > moment.getTime())).toBe(true)

  const all = await put('all', [])
  expect(requests.filter(({ request_id, answered }) => answered && !all.has(request_id))).toEqual([])
  const decrypted = await put('decrypted', [], sealed)
  expect(requests.filter(({ request_id, answered }) => answered && !decrypted.has(request_id))).toEqual([])
  process.stdout.write(
    `${JSON.stringify({ requests: requests.length, beforeTheBackupEnded: whileBackedUp, uptoTheMoment: requests.filter((request) => then.has(request.request_id)).length })}\n`,
  )
}, 600_000)

/** The newest PostgreSQL of this machine, with its tools. */
const installed = (() => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const bins = versions.sort((a, b) => Number(b) - Number(a)).map((version) => `/usr/lib/postgresql/${version}/bin`)
  return bins.find((bin) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'createdb'].every((one) => existsSync(join(bin, one))),
  )
})()

test.runIf(installed)(
  '[R14] a server with DATABASE_URL is dumped and restored into another database',
  async () => {
    const bin = installed ?? ''
    const home = join(base, 'outside')
    mkdirSync(home, { mode: 0o755 })
    const isRoot = process.getuid?.() === 0
    const owner = isRoot ? { uid: 65_534, gid: 65_534 } : {}
    if (isRoot) chownSync(home, 65_534, 65_534)
    const cluster = join(home, 'data')
    await run(join(bin, 'initdb'), ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'], {
      ...owner,
      cwd: '/',
    })
    const options = ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${home}`]
    const postgres = spawn(join(bin, 'postgres'), options, { ...owner, cwd: '/', stdio: 'ignore' })
    cleaning.push(() => postgres.kill('SIGINT'))
    const urlOf = (name: string) => `postgresql://postgres@${encodeURIComponent(home)}/${name}`
    const tool = (name: string, args: string[]) => run(join(bin, name), args)
    while (!(await tool('createdb', ['--host', home, '--username', 'postgres', 'first']).catch(() => undefined)))
      await pause(100)

    const env = { DATABASE_URL: urlOf('first') }
    const first = await begin({ env })
    const admin = await signIn(first.url, 'admin', first.password)
    const { share_code } = await admin.call('user/view', {})
    const member = await signUp(first.url, share_code, 'dumped')
    const code = (await member.call('room/list', {})).data[0]?.code ?? ''
    const { requests, stop } = load(first, admin.token ?? '', member.id, code)
    await pause(1500)
    const started = Date.now()
    await tool('pg_dump', ['--format=custom', `--file=${home}.dump`, env.DATABASE_URL])
    await stop()
    await expect(command('backup', [join(base, 'no')], { ...env, DATA_DIR: first.dataDir })).rejects.toThrow(/pg_dump/)
    const key = readFileSync(join(first.dataDir, 'installation.key'), 'utf8').trim()
    await first.stop()

    await tool('createdb', ['--host', home, '--username', 'postgres', 'second'])
    await tool('pg_restore', ['--no-owner', `--dbname=${urlOf('second')}`, `${home}.dump`])
    const outside = { DATABASE_URL: urlOf('second'), TALLYROOM_KEY: key }
    const db = connect({ connectionString: outside.DATABASE_URL, max: 1 })
    await many(db, sql`update sessions set ended_at = now(), end_reason = 'ended' where ended_at is null`)
    const there = await settled(db)
    await db.end()
    expect(
      requests.filter(({ request_id, answered }) => answered && answered < started && !there.has(request_id)),
    ).toEqual([])
    const second = await begin({ env: outside })
    for (const name of ['ledger-check', 'audit-verify', 'key']) {
      const { stdout } = await command(name, [], { ...outside, DATA_DIR: second.dataDir })
      expect(stdout).not.toContain('✗')
    }
    const again = await signIn(second.url, 'admin', second.password)
    const more = { id: member.id, amount: '1', remark: 'again', request_id: randomUUID() }
    expect((await again.ask('user/transaction', more)).code).toBe(OK)
  },
  600_000,
)
