import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Role } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { freshDatabase, migratedUrl, ownerOf, superuserOf } from '../../server/src/testing/postgres.ts'
import { makeClient, signIn } from '../support/client.ts'
import { emptyInstallations } from '../support/empty-installation.ts'
import { type Server, startServer } from '../support/server.ts'

/** Only the first start makes its database itself. */
const emptyInstallation = emptyInstallations()
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

/** Makes a process print, when it ends, which packages it had loaded. */
const listsPackages = `data:text/javascript,${encodeURIComponent(
  `import { Module } from 'node:module'
  process.on('exit', () => console.log(Object.keys(Module._cache).join(' ')))`,
)}`

/** Two starts, one after the other, each with a new database: slow on a busy machine. */
const SLOW = { timeout: 120_000 }

describe('starting', SLOW, () => {
  test('the first start creates admin, a second keeps the data, Ctrl-C also stops the database', async () => {
    const first = await start({ env: { NODE_OPTIONS: `--import=${listsPackages}` } })
    const admin = await signIn(first.url, 'admin', first.password)
    expect(await admin.call('user/view', {})).toMatchObject({ username: 'admin', role_id: Role.admin, unlimited: true })
    const pid = databasePid(first)
    expect(await first.stop()).toBe(0)
    // [RUN-03] Without their settings, traces and metrics cost nothing: their packages are not loaded.
    expect(first.output()).toContain('node_modules/pg/')
    expect(first.output()).not.toMatch(/@opentelemetry|prom-client/)
    // The ended process may remain for a moment until its new parent reaps it.
    await expect.poll(() => alive(pid), { timeout: 30_000 }).toBe(false)
    const second = await start({ dataDir: first.dataDir, password: 'another-Passw0rd' })
    expect((await makeClient(second.url, admin.token).ask('user/view', {})).code).toBe(OK)
    expect((await makeClient(second.url).ask('login', { username: 'admin', password: 'another-Passw0rd' })).code).toBe(
      errors['access.denied'],
    )
  })

  test('without ADMIN_PASSWORD a random one is printed once', async () => {
    const first = await start({ dataDir: await emptyInstallation(), password: '' })
    const password = /Password \(shown this once\): (\S+)/.exec(first.output())?.[1] ?? ''
    await signIn(first.url, 'admin', password)
    await first.stop()
    expect((await start({ dataDir: first.dataDir, password: '' })).output()).not.toContain('Password')
  })

  test('the data survives kill -9', async () => {
    const first = await start({ dataDir: await emptyInstallation() })
    const { token } = await signIn(first.url, 'admin', first.password)
    await first.kill()
    const second = await start({ dataDir: first.dataDir })
    expect((await makeClient(second.url, token).ask('user/view', {})).code).toBe(OK)
  })

  test('works with an external PostgreSQL', async () => {
    const database = migratedUrl(await freshDatabase())
    const server = await start({ env: { DATABASE_URL: database } })
    await signIn(server.url, 'admin', server.password)
    expect(existsSync(join(server.dataDir, 'postgres'))).toBe(false)
    // Another role has migrated it, and this one only serves.
    expect(server.output()).not.toContain('DATABASE_OWNER_URL')
    await server.stop()
    const asOwner = await start({ env: { DATABASE_URL: migratedUrl(ownerOf(await freshDatabase())) } })
    expect(asOwner.output()).toContain('may also change tables. Set DATABASE_OWNER_URL')
  })

  test('[W84] with an external PostgreSQL, the owner role migrates an empty database and another role serves', async () => {
    const config = await freshDatabase()
    const empty = new pg.Client(superuserOf(config))
    await empty.connect()
    await empty.query(`drop schema public cascade; create schema public authorization ${ownerOf(config).user}`)
    await empty.end()
    const alone = await startError({ dataDir: newDirectory(), env: { DATABASE_URL: migratedUrl(config) } })
    expect(alone.trim()).toMatch(/^The database lacks migrations .* Set DATABASE_OWNER_URL for this start or .*$/)
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
    const dataDir = await emptyInstallation()
    const output = await startError({ port, dataDir, password: '' }).finally(() => squatter.close())
    const lines = output.split('\n').filter(Boolean)
    expect(lines).toEqual([
      expect.stringContaining('Your account: admin'),
      expect.stringMatching(/^Port \d+ is taken\. .*PORT=/),
    ])
    // The account was made, and no later start knows its password.
    const password = /Password \(shown this once\): (\S+)/.exec(output)?.[1] ?? ''
    await signIn((await start({ dataDir, password: '' })).url, 'admin', password)
  })

  test('an address for metrics that is taken, and one that is not of this machine', async () => {
    const squatter = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => squatter.once('listening', resolve))
    const address = squatter.address()
    const port = String(typeof address === 'object' && address ? address.port : 0)
    const dataDir = await emptyInstallation()
    const taken = await startError({ dataDir, env: { METRICS_PORT: port } }).finally(() => squatter.close())
    expect(taken.trim()).toMatch(new RegExp(`^Port ${port} is taken\\. .* with METRICS_PORT=\\d+\\.$`))
    const elsewhere = await startError({ dataDir, env: { METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' } })
    expect(elsewhere.trim()).toMatch(/^METRICS_HOST is "192\.0\.2\.1", but must be an address of this machine/)
    const host = await startError({ dataDir, env: { HOST: '192.0.2.1' } })
    expect(host.trim()).toMatch(/^HOST is "192\.0\.2\.1", but must be an address of this machine/)
  })

  // Each setting: server/src/config/settings.test.ts.
  test('a setting that is refused, before anything is made', async () => {
    const dataDir = newDirectory()
    const output = await startError({ dataDir, env: { PORT: '99999' } })
    expect(output).toBe('PORT is "99999", but must be a whole number from 0 to 65535.')
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('a database that does not answer', async () => {
    const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
    const output = await startError({ dataDir: newDirectory(), env })
    const lines = output.split('\n').filter(Boolean)
    expect(lines).toEqual([expect.stringContaining('Check DATABASE_URL and that the database is running.')])
  })

  test('a password for admin that is too short', async () => {
    const output = await startError({ dataDir: await emptyInstallation(), env: { ADMIN_PASSWORD: 'abc' } })
    const lines = output.split('\n').filter(Boolean)
    expect(lines).toEqual([expect.stringContaining('ADMIN_PASSWORD must have 4 to 128 characters.')])
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
    const first = await start({ dataDir: await emptyInstallation() })
    const output = await startError({ dataDir: first.dataDir })
    expect(output.split('\n')).toHaveLength(1)
    expect((await makeClient(first.url).ask('userMenu/list', {})).code).toBe(errors['session.dead'])
  })
})
