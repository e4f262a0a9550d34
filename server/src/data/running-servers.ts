import { StartError } from '../lib/start-error.ts'
import type { DatabaseConfig } from './servers.ts'
import { APPLICATION, one, sql, withConnection } from './sql.ts'

/**
 * For a command that must not run beside a server, which would go on with what the command replaces. A server always has
 * a connection open. Other commands count too: they end soon. Call it before this process opens other connections.
 * @throws StartError
 */
export const refuseBesideServers = async (app: DatabaseConfig, command: string): Promise<void> => {
  const own = { ...app, max: 1, application_name: `${APPLICATION}-check` }
  // An address with `application_name` gives all connections that name instead.
  const found = await withConnection(own, (db) =>
    one<{ connections: number }>(
      db,
      sql`select count(*)::int as connections from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and application_name in (${APPLICATION}, current_setting('application_name'))`,
    ),
  )
  if (!found?.connections) return
  throw new StartError(
    `Tallyroom is running on this database (${found.connections} connections). Stop all copies first, then run again: ${command}`,
  )
}
