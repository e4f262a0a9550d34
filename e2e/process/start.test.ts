import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { freshDatabase, migratedUrl, ownerOf, superuserOf } from '../../server/src/testing/postgres.ts'
import { makeClient, signIn } from '../support/client.ts'
import { type Server, startServer } from '../support/server.ts'

const servers: Server[] = []
const directories: string[] = []
const start = async (options?: Parameters<typeof startServer>[0]) => {
  const server = await startServer(options)
  servers.push(server)
  return server
}
const newDirectory = () => {
  const made = mkdtempSync(join(tmpdir(), 'tallyroom-start-'))
  directories.push(made)
  return made
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove()
  for (const made of directories.splice(0)) rmSync(made, { recursive: true, force: true })
})

/** The error output of a start that must fail, without the paths of this machine. */
const startError = async (options: Parameters<typeof startServer>[0]) => {
  const error = await start(options).then(
    () => new Error('it started'),
    (failed: Error) => failed,
  )
  return error.message.split('\n').slice(1).join('\n').trim()
}
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const databasePid = (server: Server) =>
  Number(readFileSync(join(server.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** Two starts, one after the other, each with a new database: slow on a busy machine. */
const SLOW = { timeout: 120_000 }

describe('starting', SLOW, () => {
  test('the first start creates admin, a second keeps the data, Ctrl-C also stops the database', async () => {
    const first = await start()
    const admin = await signIn(first.url, 'admin', first.password)
    expect(await admin.call('user/view', {})).toMatchObject({ username: 'admin', role_id: 1, unlimited: true })
    const pid = databasePid(first)
    expect(await first.stop()).toBe(0)
    // The ended process may remain for a moment until its new parent reaps it.
    await expect.poll(() => alive(pid), { timeout: 30_000 }).toBe(false)
    const second = await start({ dataDir: first.dataDir, password: 'another-Passw0rd' })
    expect((await makeClient(second.url, admin.token).ask('user/view', {})).code).toBe(1000)
    expect((await makeClient(second.url).ask('login', { username: 'admin', password: 'another-Passw0rd' })).code).toBe(
      1403,
    )
  })

  test('without ADMIN_PASSWORD a random one is printed once', async () => {
    const first = await start({ password: '' })
    const password = /Password \(shown this once\): (\S+)/.exec(first.output())?.[1] ?? ''
    await signIn(first.url, 'admin', password)
    await first.stop()
    expect((await start({ dataDir: first.dataDir, password: '' })).output()).not.toContain('Password')
  })

  test('the data survives kill -9', async () => {
    const first = await start()
    const { token } = await signIn(first.url, 'admin', first.password)
    await first.kill()
    const second = await start({ dataDir: first.dataDir })
    expect((await makeClient(second.url, token).ask('user/view', {})).code).toBe(1000)
  })

  test('works with an external PostgreSQL', async () => {
    const database = migratedUrl(await freshDatabase())
    const server = await start({ env: { DATABASE_URL: database } })
    await signIn(server.url, 'admin', server.password)
    expect(existsSync(join(server.dataDir, 'postgres'))).toBe(false)
    expect(server.output()).toContain('DATABASE_OWNER_URL')
  })

  test('[W84] with an external PostgreSQL, the owner role migrates an empty database and another role serves', async () => {
    const config = await freshDatabase()
    const empty = new pg.Client(superuserOf(config))
    await empty.connect()
    await empty.query(`drop schema public cascade; create schema public authorization ${ownerOf(config).user}`)
    await empty.end()
    const env = { DATABASE_URL: migratedUrl(config), DATABASE_OWNER_URL: migratedUrl(ownerOf(config)) }
    const server = await start({ env })
    await signIn(server.url, 'admin', server.password)
    expect(server.output()).not.toContain('DATABASE_OWNER_URL')
  })
})

describe('a failed start says in one line what to do', SLOW, () => {
  test('a port that is taken', async () => {
    const squatter = createServer().listen(0, '0.0.0.0')
    await new Promise((resolve) => squatter.once('listening', resolve))
    const address = squatter.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const output = await startError({ port }).finally(() => squatter.close())
    expect(output.split('\n').at(-1)).toMatch(/^Port \d+ is taken\. .*PORT=/)
  })

  test.each([
    ['PORT', '99999', 'PORT is "99999", but must be a whole number from 0 to 65535.'],
    ['PORT', 'web', 'PORT is "web", but must be a whole number from 0 to 65535.'],
    ['TIME_ZONE', 'Mars/Base', 'TIME_ZONE is "Mars/Base", but must be an IANA name such as Asia/Taipei.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud", but must be one of'],
    ['DEMO', 'maybe', 'DEMO is "maybe", but must be 1 or 0.'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must look like postgresql://'],
    ['DATABASE_URL', 'postgresql://nobody@127.0.0.1:1/none', 'Check DATABASE_URL and that the database is running.'],
    ['TALLYROOM_KEY', 'short', 'TALLYROOM_KEY must be 32 bytes, as 64 hexadecimal digits or as base64'],
    ['ADMIN_PASSWORD', 'abc', 'ADMIN_PASSWORD must have 4 to 128 characters.'],
  ])('%s=%s', async (name, value, words) => {
    const output = await startError({ env: { [name]: value } })
    const lines = output.split('\n').filter((line) => line && line !== 'Making the database…')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(words)
  })

  test('a data directory with other content', async () => {
    const dataDir = newDirectory()
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '9.6\n')
    const output = await startError({ dataDir })
    expect(output.split('\n')).toHaveLength(1)
    expect(output).toContain('is damaged')
  })

  test('a data directory that is in use', async () => {
    const first = await start()
    const output = await startError({ dataDir: first.dataDir })
    expect(output.split('\n')).toHaveLength(1)
    expect((await makeClient(first.url).ask('userMenu/list', {})).code).toBe(9998)
  })
})
