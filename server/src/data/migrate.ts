import { serverPath } from '../paths.ts'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { grantTo } from './grants.ts'
import { StartError } from '../lib/start-error.ts'

type Migration = { name: string; sql: string; checksum: string }

/** Next to src/ and to the bundle in dist/. */
const MIGRATIONS = serverPath('migrations')
const OLDEST_POSTGRES = 15
/** An arbitrary number for the advisory lock: only its holder changes the schema. */
const LOCK = 7_460_119_235

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
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
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
    if (ours.checksum !== checksum) {
      throw new StartError(
        `Migration ${name} was changed after this database had seen it. Restore the file and write a new migration instead.`,
      )
    }
  }
}

const apply = async (client: pg.Client, { name, sql, checksum }: Migration) => {
  await client.query('BEGIN')
  try {
    await client.query(sql)
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [name, checksum])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    const { message, position } = error as { message: string; position?: string }
    const line = position ? ` (line ${sql.slice(0, Number(position)).split('\n').length})` : ''
    throw new StartError(
      `Migration ${name} fails${line}: ${message}. Nothing of it was kept; the database is as it was before.`,
    )
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
  const client = new pg.Client(config)
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
 * Applies the missing migrations, and grants the serving role `app` its rights when another role migrates. Several
 * processes may call it at once: one works, the others wait and find nothing to do.
 * Returns the names of the applied migrations. @throws StartError
 */
export const migrate = async (config: pg.ClientConfig, directory = MIGRATIONS, app?: string): Promise<string[]> => {
  const migrations = readMigrations(directory)
  const client = await connect(config)
  try {
    const { rows } = await client.query<{ major: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS major`,
    )
    const major = rows[0]?.major ?? 0
    if (major < OLDEST_POSTGRES)
      throw new StartError(
        `The database is PostgreSQL ${major}; Tallyroom needs ${OLDEST_POSTGRES} or newer. Choose another one with DATABASE_URL.`,
      )
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    await makeTable(client)
    const { rows: applied } = await client.query<{ name: string; checksum: string }>(
      'SELECT name, checksum FROM schema_migrations ORDER BY name',
    )
    refuseForeignHistory(applied, migrations)
    const pending = migrations.slice(applied.length)
    for (const migration of pending) await apply(client, migration)
    if (app !== undefined && app !== client.user) await grantTo(client, app)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
