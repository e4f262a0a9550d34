import pg from 'pg'
import { parseDatabaseUrl } from '../config/database-url.ts'
import type { Settings } from '../config/settings.ts'
import { StartError } from '../lib/start-error.ts'
import { migrate } from './migrate.ts'
import { type Database, one, type Row, run, sql, withConnection } from './sql.ts'
import { type DatabaseConfig, makeServers } from './servers.ts'

/** Connections to the database: `app` serves; `owner` migrates, or `app` does when `owner` is undefined. */
export type Access = { app: DatabaseConfig; owner: DatabaseConfig | undefined }

/** Connections of one process: for writes and sessions, and for reads. */
export const CONNECTIONS_FOR_WRITES = 8
export const CONNECTIONS_FOR_READS = 8
export const CONNECTIONS = CONNECTIONS_FOR_WRITES + CONNECTIONS_FOR_READS

/** The database of DATABASE_URL; undefined when it is not set. */
export const outsideDatabase = ({ databaseUrl, databaseOwnerUrl, isPooled }: Settings): Access | undefined =>
  databaseUrl === undefined
    ? undefined
    : {
        app: { ...configOf(databaseUrl), ...(isPooled ? { isPooled } : {}) },
        owner: databaseOwnerUrl === undefined ? undefined : configOf(databaseOwnerUrl),
      }

/** A config for each server of DATABASE_READ_URL; none when it is not set. */
export const replicaConfigs = ({ databaseReadUrl }: Settings): DatabaseConfig[] => {
  if (databaseReadUrl === undefined) return []
  const { url, hosts } = parseDatabaseUrl(databaseReadUrl) ?? {}
  return (hosts?.map((host) => host.url) ?? [url ?? '']).map((connectionString) => ({ connectionString }))
}

/** All connections that are made with one config share what they know of its servers. */
export const configOf = (address: string): DatabaseConfig => {
  const { url = address, hosts } = parseDatabaseUrl(address) ?? {}
  return { connectionString: url, ...(hosts ? { servers: makeServers(hosts) } : {}) }
}

/** Applies the migrations and grants the serving role its rights. Returns their names. @throws StartError */
export const migrateFor = ({ app, owner }: Access, tell?: (name: string) => void): Promise<string[]> =>
  // pg.Client fills in the user that it connects as when the address names none.
  migrate(owner ?? app, { app: new pg.Client(app).user, ...(tell && { tell }) }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // insufficient_privilege, and invalid_schema_name: of no schema that it may use.
    if (owner || (code !== '42501' && code !== '3F000')) throw error
    throw new StartError(
      `The database lacks migrations of this version, and the role of DATABASE_URL may not apply them (${(error as Error).message}). Set DATABASE_OWNER_URL for this start or for npm run migrate (docs/operations/run.md).`,
    )
  })

/** Whether a role could change what is kept in the ledger: it owns the tables, or is a superuser. */
export const ownsTables = (app: DatabaseConfig): Promise<boolean> =>
  withConnection({ ...app, max: 1 }, async (db) => {
    const row = await one<Row & { owns: boolean }>(
      db,
      sql`select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'schema_migrations'::regclass`,
    )
    return row?.owns === true
  })

/**
 * The same database, where PostgreSQL ends each statement after `ms`. Each query is a transaction of its own, so this holds
 * through a pooler too, which would refuse the option of a connection. It is sent with the query, in one packet.
 */
export const withStatementTimeout = (db: Database, ms: number): Database => {
  // A query would be the first of the transaction, after which `work` could not choose the isolation level any more.
  const limit = { text: `set local statement_timeout = ${Math.ceil(ms)}`, values: [] }
  return {
    ...db,
    query: (text, values, isReplanned) =>
      db.transact(async (tx) => {
        const [, rows] = await Promise.all([run(tx, limit), tx.query<never>(text, values, isReplanned)])
        return rows
      }),
    transact: (work, isPlannedOnce) =>
      db.transact(async (tx) => {
        const [, result] = await Promise.all([run(tx, limit), work(tx)])
        return result
      }, isPlannedOnce),
  }
}
