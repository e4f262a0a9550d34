import type pg from 'pg'
import { StartError } from '../lib/start-error.ts'

/** `replaces`: checksums of former texts with the same result. A database that has seen one of them is up to date. */
export type Migration = { name: string; sql: string; checksum: string; replaces: string[] }

/**
 * An older copy may serve while migrations run. So a statement waits only this long for a lock, because all later
 * statements on the table wait behind it. Then it lets them pass and tries again.
 */
const LOCK_TIMEOUT = '200ms'
/** How long a migration tries. A report or a backup may hold a table for some minutes. */
const PATIENCE_MS = 15 * 60_000
const LONGEST_PAUSE_MS = 2000

/**
 * How a migration begins whose statements run one by one, each in its own transaction: `create index concurrently`,
 * and updates of large tables in batches. It must be repeatable, because it may be cut off.
 */
const OUTSIDE = /^-- Outside a transaction\b/m
/** In front of a statement that is repeated for each range `$1` < column <= `$2` of a column with whole numbers. */
const BATCHES = /^\s*-- In batches of (\d+) by (\w+)\.(\w+)$/m

/** Lock timeout and deadlock: the same statement succeeds later. */
const isLockConflict = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

const patiently = async (work: () => Promise<unknown>): Promise<void> => {
  const end = Date.now() + PATIENCE_MS
  for (let pause = 50; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await work()
      return
    } catch (error) {
      if (!isLockConflict(error)) throw error
      if (Date.now() > end)
        throw new Error(
          `another transaction has held a lock for ${PATIENCE_MS / 60_000} minutes (${(error as Error).message}); find it in pg_stat_activity and end it`,
          { cause: error },
        )
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** The statements of a file, each with the comments before it. One ends with `;` at the end of a line outside of `$$`. */
export const statementsOf = (sql: string): string[] => {
  const statements: string[] = []
  let lines: string[] = []
  let isQuoted = false
  for (const line of sql.split('\n')) {
    lines.push(line)
    if ((line.split('$$').length - 1) % 2) isQuoted = !isQuoted
    if (isQuoted || line.startsWith('--') || !/;\s*$/.test(line)) continue
    statements.push(lines.join('\n'))
    lines = []
  }
  if (lines.some((line) => line.trim() && !line.trim().startsWith('--'))) statements.push(lines.join('\n'))
  return statements
}

/** Ranges of ids rather than rows that lack something: what is done already is passed over without an index for it. */
const runBatches = async (client: pg.Client, statement: string, [, size, table, column]: string[]) => {
  const { rows } = await client.query<{ last: string | null }>(`SELECT max(${column}) AS last FROM ${table}`)
  const last = BigInt(rows[0]?.last ?? 0)
  for (let from = 0n; from < last; from += BigInt(size ?? 0))
    await patiently(() => client.query(statement, [from, from + BigInt(size ?? 0)]))
}

const runStatement = async (client: pg.Client, statement: string) => {
  // Building an index waits for every transaction that could write without it, and nobody waits behind that.
  const isConcurrent = /^\s*(create|drop|reindex)\b.*\bconcurrently\b/im.test(statement)
  await client.query(`SET lock_timeout = '${isConcurrent ? 0 : LOCK_TIMEOUT}'`)
  const batches = BATCHES.exec(statement)
  if (batches) return runBatches(client, statement, batches)
  // Half an index is left behind: the file drops it when it runs again from its beginning.
  if (isConcurrent) return client.query(statement)
  return patiently(() => client.query(statement))
}

const done = (client: pg.Client, { name, checksum }: Migration) =>
  client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [name, checksum])

const applyOutside = async (client: pg.Client, migration: Migration) => {
  try {
    await patiently(async () => {
      for (const statement of statementsOf(migration.sql)) await runStatement(client, statement)
    })
    await done(client, migration)
  } catch (error) {
    throw new StartError(
      `Migration ${migration.name} fails: ${(error as Error).message}. The next start begins it again.`,
    )
  }
}

const applyInside = async (client: pg.Client, migration: Migration) => {
  const { name, sql } = migration
  try {
    await patiently(async () => {
      await client.query('BEGIN')
      try {
        await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
        await client.query(sql)
        await done(client, migration)
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  } catch (error) {
    const { message, position } = error as { message: string; position?: string }
    const line = position ? ` (line ${sql.slice(0, Number(position)).split('\n').length})` : ''
    throw new StartError(
      `Migration ${name} fails${line}: ${message}. Nothing of it was kept; the database is as it was before.`,
    )
  }
}

/** Applies one migration without holding up an older copy that serves. @throws StartError */
export const applyMigration = (client: pg.Client, migration: Migration): Promise<void> =>
  OUTSIDE.test(migration.sql) ? applyOutside(client, migration) : applyInside(client, migration)
