import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '@tallyroom/postgres'
import { connectionOf } from '../lib/server.ts'
import { XMPP_PASSWORD } from './xmpp.ts'

/** Where Debian's packages ejabberd and erlang-p1-pgsql install their files. */
const SCHEMA = '/usr/share/ejabberd/sql/pg.sql'
const LIBRARIES = '/usr/lib/x86_64-linux-gnu'

/** Whether ejabberd can talk to PostgreSQL: without erlang-p1-pgsql it never answers. */
const hasDriver = () =>
  existsSync('/usr/lib/erlang/lib') && readdirSync('/usr/lib/erlang/lib').some((name) => name.startsWith('p1_pgsql-'))

export type Ejabberd = { url: string; pid: number; postmaster: number; close(): Promise<void> }

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const until = async <T>(what: string, find: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (let n = 0; n < 300; n++) {
    const found = await Promise.resolve(find()).catch(() => undefined)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${what}: not ready in time`)
}

const ended = (child: ChildProcess) => new Promise<void>((resolve) => child.once('exit', () => resolve()))

/**
 * The same PostgreSQL as Tallyroom's, with the same settings, in a cluster of its own that listens on TCP: ejabberd's
 * driver knows no unix sockets.
 */
const openDatabase = async (dataDir: string, names: string[]) => {
  const postgres = await startPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(readFileSync(SCHEMA, 'utf8'))
  await client.query('insert into users (username, password) select name, $2 from unnest($1::text[]) name', [
    names,
    XMPP_PASSWORD,
  ])
  await client.end()
  const { postmaster } = connectionOf(dataDir)
  const [program = '', ...args] = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8').split('\0').filter(Boolean)
  await postgres.stop()

  const port = await freePort()
  const given = args.map((arg) =>
    arg
      .replace(/^listen_addresses=$/, 'listen_addresses=127.0.0.1')
      .replace(/^unix_socket_directories=.*/, 'unix_socket_directories='),
  )
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  const child = spawn(program, [...given, '-p', String(port)], {
    uid,
    gid,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
  })
  const stop = async () => {
    const end = ended(child)
    child.kill('SIGINT')
    await end
  }
  process.once('exit', () => child.kill('SIGQUIT'))
  await until('PostgreSQL', async () => {
    const probe = new pg.Client({ host: '127.0.0.1', port, user: 'tallyroom', database: 'tallyroom' })
    probe.on('error', () => undefined)
    await probe.connect()
    await probe.end()
    return true
  })
  return { port, postmaster: child.pid ?? 0, stop }
}

const settings = (port: number, database: number) => `
loglevel: error
hosts: [localhost]
auth_method: sql
default_db: sql
sql_type: pgsql
sql_server: 127.0.0.1
sql_port: ${database}
sql_database: tallyroom
sql_username: tallyroom
sql_password: ""
listen:
  - { port: ${port}, ip: 127.0.0.1, backlog: 500, module: ejabberd_http, request_handlers: { /ws: ejabberd_http_ws } }
modules:
  mod_mam: { default: always }
  mod_muc: { default_room_options: { mam: true } }
`

/** Debian's ejabberd, with all rooms archived, reached by websocket. */
export const startEjabberd = async (names: string[]): Promise<Ejabberd> => {
  if (!existsSync(SCHEMA) || !hasDriver())
    throw new Error('This bench needs ejabberd: apt-get install --no-install-recommends ejabberd erlang-p1-pgsql')
  const home = mkdtempSync(join(tmpdir(), 'tallyroom-ejabberd-'))
  const database = await openDatabase(join(home, 'data'), names)
  const port = await freePort()
  const config = join(home, 'ejabberd.yml')
  writeFileSync(config, settings(port, database.port))
  mkdirSync(join(home, 'mnesia'))
  const child = spawn(
    'erl',
    ['-noinput', '+K', 'true', '-mnesia', 'dir', `"${join(home, 'mnesia')}"`, '-s', 'ejabberd'],
    {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ERL_LIBS: LIBRARIES,
        EJABBERD_CONFIG_PATH: config,
        EJABBERD_LOG_PATH: join(home, 'ejabberd.log'),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}/ws`
  await until('ejabberd', async () => (await fetch(url)).status)
  return {
    url,
    pid: beamOf(child.pid ?? 0),
    postmaster: database.postmaster,
    close: async () => {
      const end = ended(child)
      child.kill('SIGTERM')
      await end
      await database.stop()
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** `erl` may be a script or the program itself. */
const beamOf = (pid: number): number => {
  const child = execFileSync('sh', ['-c', `pgrep -P ${pid} beam || true`], { encoding: 'utf8' }).trim()
  return child ? Number(child.split('\n')[0]) : pid
}
