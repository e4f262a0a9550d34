import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startServer } from '../../e2e/support/server.ts'
import { build, buildServer } from '../../scripts/build.mjs'
import { connect, type Database, one, sql } from '../../server/src/data/sql.ts'

export type Connection = { host: string; port: number; user: string; database: string }
export type BenchServer = {
  /** With an IP address, so that no name has to be resolved. */
  url: string
  password: string
  pid: number
  db: Database
  /** For programs that use the same PostgreSQL. */
  connection: Connection
  /** The process of PostgreSQL whose children do its work. */
  postmaster: number
  postgres: string
  close(): Promise<void>
}

/** The address of a running server's database, from PostgreSQL's pid file. */
export const connectionOf = (dataDir: string) => {
  const lines = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const connection = { host: lines[4] ?? '', port: Number(lines[3]), user: 'tallyroom', database: 'tallyroom' }
  return { connection, postmaster: Number(lines[0]) }
}

/** Without this a failed bench leaves its database running: the server stops it only when it shuts down. */
export const clearAwayAtExit = (dataDir: string): (() => void) => {
  const clear = () => {
    try {
      process.kill(connectionOf(dataDir).postmaster, 'SIGQUIT')
    } catch {
      // Stopped already.
    }
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  process.once('exit', clear)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return () => process.removeListener('exit', clear)
}

/**
 * Call limits would refuse the load of a bench, so they are set out of reach. All servers on the bench's database have
 * the same key.
 */
export const SERVER_ENV = {
  TALLYROOM_KEY: 'b0'.repeat(32),
  READS_PER_SECOND: '1000000',
  WRITES_PER_SECOND: '1000000',
  OPEN_CALLS_PER_SECOND: '1000000',
  CALLS_PER_SECOND_OF_ADDRESS: '1000000',
  CALLS_PER_SECOND_OF_KEY: '1000000',
}

/** With `--profile` the server leaves test-results/bench.cpuprofile when it stops. */
const profiling = (name = 'bench'): Record<string, string> =>
  process.argv.includes('--profile')
    ? {
        NODE_OPTIONS: `--import ${new URL('profile.mjs', import.meta.url).href}`,
        PROFILE_TO: fileURLToPath(new URL(`../../test-results/${name}.cpuprofile`, import.meta.url)),
      }
    : {}

export type WorkersServer = { url: string; pid: number; close(): Promise<void> }

/** The same program with two workers, on the database of a server that is already there. */
export const openWorkers = async ({ connection }: BenchServer): Promise<WorkersServer> => {
  const { host, user, database } = connection
  const DATABASE_URL = `postgresql://${user}@${encodeURIComponent(host)}:${connection.port}/${database}`
  // The seal and the bot have one process each, that of the first server.
  const env = { ...SERVER_ENV, ...profiling('writer'), WORKERS: '2', DATABASE_URL, AI_ANSWERS: '0' }
  const server = await startServer({ env })
  return {
    url: server.url.replace('localhost', '127.0.0.1'),
    pid: server.child.pid ?? 0,
    close: server.remove,
  }
}

/** Builds the server and starts it like `npm start`, with an empty, durable database of its own. */
export const openServer = async ({
  withPages = false,
  env = {},
}: {
  withPages?: boolean
  env?: Record<string, string>
} = {}): Promise<BenchServer> => {
  await (withPages ? build() : buildServer())
  const server: ServerProcess = await startServer({ env: { ...SERVER_ENV, ...profiling(), ...env } })
  const isCleared = clearAwayAtExit(server.dataDir)
  const { connection, postmaster } = connectionOf(server.dataDir)
  const db = connect({ ...connection, max: 2 })
  const found = await one<{ version: string; durable: string }>(
    db,
    sql`select current_setting('server_version') as version,
      current_setting('fsync') || current_setting('synchronous_commit') || current_setting('full_page_writes') as durable`,
  )
  if (found?.durable !== 'ononon') throw new Error('The database of the bench is not durable.')
  return {
    url: server.url.replace('localhost', '127.0.0.1'),
    password: server.password,
    pid: server.child.pid ?? 0,
    db,
    connection,
    postmaster,
    postgres: found.version,
    close: async () => {
      await db.end()
      await server.remove()
      isCleared()
    },
  }
}
