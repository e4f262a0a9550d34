import pg from 'pg'
import type { DatabaseHost } from '../config/database-url.ts'
import type { Traces } from '../lib/traces.ts'

/** A database on several servers, of which one takes writes. node-postgres itself knows only one. */
export type Servers = {
  /** The one that takes writes. @throws NoPrimary */
  primary(): Promise<DatabaseHost>
  /** It takes no writes any more, or does not answer: the next connection looks again. */
  forget(host: DatabaseHost): void
  /** It may have been demoted since it was last asked. @throws when it takes no writes */
  check(client: pg.ClientBase, host: Pick<DatabaseHost, 'host' | 'port'>): Promise<void>
}
/** `isPooled`: through PgBouncer, which may give each transaction another connection of the server. */
export type DatabaseConfig = pg.PoolConfig & { servers?: Servers; isPooled?: boolean; traces?: Traces | undefined }

const PROBE_MS = 2000
/** How long all calls share the answer that there is none: each look is a connection to every server. */
const NONE_MS = 100

class NoPrimary extends Error {
  constructor(reasons: string[]) {
    super(`no server of the database takes writes (${reasons.join('; ')})`)
  }
}

/** Asks all at once, because one that hangs must not hold up the others: at most one takes writes. */
export const makeServers = (hosts: DatabaseHost[], probe = whyNotPrimary): Servers => {
  let known: DatabaseHost | undefined
  let looking: Promise<DatabaseHost> | undefined

  const look = async () => {
    const reasons: string[] = []
    const asked = hosts.map(async (host) => {
      const reason = await probe(host)
      if (reason === undefined) return host
      reasons.push(`${host.host}:${host.port}: ${reason}`)
      throw new Error(reason)
    })
    const found = await Promise.any(asked).catch(() => undefined)
    if (!found) throw new NoPrimary(reasons)
    return found
  }
  const lookOnce = () => {
    looking ??= look().then(
      (found) => {
        known = found
        looking = undefined
        return found
      },
      (error: unknown) => {
        setTimeout(() => (looking = undefined), NONE_MS).unref()
        throw error
      },
    )
    return looking
  }
  return {
    primary: () => (known ? Promise.resolve(known) : lookOnce()),
    forget(host) {
      if (known === host) known = undefined
    },
    async check(client, { host, port }) {
      // The server may have been demoted since it was last asked.
      if (await isReadOnly(client)) throw new Error(`${host}:${port} takes no writes any more`)
    },
  }
}

/** Why a server takes no writes; undefined when it does. A standby is read-only, and so is a fenced primary. */
const whyNotPrimary = async ({ url }: DatabaseHost): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await isReadOnly(client)) ? 'read-only' : undefined
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return message || code || 'no answer'
  } finally {
    void client.end().catch(() => undefined)
  }
}

const isReadOnly = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only')::bool as "isReadOnly"`,
  )
  return rows[0]?.isReadOnly !== false
}
