import { serverPath } from '../paths.ts'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { applyMigration, type Migration } from './apply-migration.ts'
import { grantTo } from './grants.ts'
import { WatchedClient } from '../adapters/pg.ts'
import { locks } from './locks.ts'
import { type Pooler, poolerOf } from './pooler.ts'
import type { Db, Row } from './sql.ts'
import { StartError } from '../lib/start-error.ts'

/** Next to src/ and to the bundle in dist/. */
const MIGRATIONS = serverPath('migrations')
const OLDEST_POSTGRES = 15
const POOLER_MS = 3000

/** Reads `NNNN-name.sql` in order. @throws StartError when a number is missing or taken twice */
export const readMigrations = (directory = MIGRATIONS): Migration[] => {
  let names: string[]
  try {
    names = readdirSync(directory)
      .filter((name) => name.endsWith('.sql'))
      .sort()
  } catch {
    throw new StartError(`The migrations are missing (${directory}). This installation is incomplete: fetch it again.`)
  }
  return names.map((name, index) => {
    const number = String(index + 1).padStart(4, '0')
    if (!name.startsWith(`${number}-`))
      throw new StartError(`Migration ${name} should have the number ${number}: number them without gaps.`)
    const sql = readFileSync(`${directory}/${name}`, 'utf8').replaceAll('\r\n', '\n')
    const replaces = [...sql.matchAll(/^-- Replaces ([0-9a-f]{64})\b/gm)].map(([, checksum = '']) => checksum)
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), replaces }
  })
}

/** Refuses a database whose applied migrations differ from the files. */
const refuseForeignHistory = (applied: { name: string; checksum: string }[], migrations: Migration[]) => {
  for (const [index, { name, checksum }] of applied.entries()) {
    const ours = migrations[index]
    if (ours?.name !== name) {
      throw new StartError(
        `The database has seen migration ${name}, which this version of Tallyroom does not have. Start the newer version that applied it.`,
      )
    }
    if (ours.checksum !== checksum && !ours.replaces.includes(checksum)) {
      throw new StartError(
        `Migration ${name} was changed after this database had seen it. Restore the file and write a new migration instead.`,
      )
    }
  }
}

/**
 * Waits until no other process migrates. It asks again and again: a statement that waits would keep its snapshot, and
 * the process that makes an index concurrently would wait for that.
 */
const waitForLock = async (client: pg.Client) => {
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>('SELECT pg_try_advisory_lock($1) AS "isOurs"', [
      locks.migrations,
    ])
    if (rows[0]?.isOurs) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Checks first: a role that may not create tables is refused even `if not exists`. */
const makeTable = async (client: pg.Client) => {
  const { rows } = await client.query<{ found: string | null }>(`SELECT to_regclass('schema_migrations') AS found`)
  if (rows[0]?.found) return
  await client.query(
    'CREATE TABLE schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
}

const connect = async (config: pg.ClientConfig): Promise<pg.Client> => {
  const client = new WatchedClient(config)
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    throw new StartError(
      `Cannot connect to the database ${client.database ?? ''} at ${client.host}:${client.port}: ${message || code}. Check DATABASE_URL and that the database is running.`,
    )
  }
  return client
}

/**
 * Through a pooler in transaction mode the lock stays with a connection of the pool, and the next start would wait for it
 * for ever without a word.
 */
const refuseTransactionMode = async (client: pg.Client, config: pg.ClientConfig) => {
  const found = await poolerOf(client, async (work) => {
    const second = await connect({ ...config, query_timeout: POOLER_MS })
    try {
      return await work(second)
    } finally {
      await second.end()
    }
    // In session mode a pool may have no second connection to give.
  }).catch((): Pooler => 'session')
  if (found === 'transaction')
    throw new StartError(
      'The connection for migrations leads through a pooler in transaction mode. Let DATABASE_OWNER_URL lead to PostgreSQL itself: migrations hold a lock of their session (docs/operations/copies.md).',
    )
}

/** `app`: the serving role, when another one migrates. `tell` hears the name of each migration of a
 * database in use before it begins. */
type MigrateOptions = { directory?: string; app?: string | undefined; tell?: (name: string) => void }

/**
 * Applies the missing migrations while older copies may go on serving, and grants the serving role `app` its rights when another role migrates. Several
 * processes may call it at once: one works, the others wait and find nothing to do.
 * Returns the names of the applied migrations. @throws StartError
 */
export const migrate = async (
  config: pg.ClientConfig,
  { directory = MIGRATIONS, app, tell = () => undefined }: MigrateOptions = {},
): Promise<string[]> => {
  const migrations = readMigrations(directory)
  const client = await connect(config)
  try {
    await refuseTransactionMode(client, config)
    const { rows } = await client.query<{ major: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS major`,
    )
    const major = rows[0]?.major ?? 0
    if (major < OLDEST_POSTGRES)
      throw new StartError(
        `The database is PostgreSQL ${major}; Tallyroom needs ${OLDEST_POSTGRES} or newer. Choose another one with DATABASE_URL.`,
      )
    await waitForLock(client)
    await makeTable(client)
    const { rows: applied } = await client.query<{ name: string; checksum: string }>(
      'SELECT name, checksum FROM schema_migrations ORDER BY name',
    )
    refuseForeignHistory(applied, migrations)
    const pending = migrations.slice(applied.length)
    for (const migration of pending) {
      if (applied.length) tell(migration.name)
      await applyMigration(client, migration)
    }
    if (app !== undefined && app !== client.user) await grantTo(client, app)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** The names of the migrations of this version that a database lacks. Changes nothing. @throws StartError */
export const pendingMigrations = async (db: Db): Promise<string[]> => {
  const migrations = readMigrations()
  const applied = await db.query<Row & { name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
    [],
  )
  refuseForeignHistory(applied, migrations)
  return migrations.slice(applied.length).map(({ name }) => name)
}
