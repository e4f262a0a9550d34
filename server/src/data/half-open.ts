import type pg from 'pg'
import { destroyConnection, WatchedClient } from '../adapters/pg.ts'
import { repeat } from '../lib/concurrency.ts'
import type { DatabaseConfig } from './servers.ts'

// Half-open connections: the other end is gone without a FIN or RST, so a query is never answered. This happens with a
// database on another machine when the network is cut for longer than a firewall or router remembers the connection.

/** After this long in use, a connection is checked in `pg_stat_activity`. */
const CHECK_AFTER_MS = 4000
const CHECK_EVERY_MS = 1000
const CHECK_TIMEOUT_MS = 3000
/** Without these the database's end of the connection waits a quarter of an hour for acknowledgements. */
const DATABASE_TIMEOUTS =
  'set tcp_user_timeout = 8000; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 5'

/** `pid`: known once the first query is answered. */
type Backend = { pid: number | undefined; connectedAt: number }

const isLate = (since: number, now: number) => now - since > CHECK_AFTER_MS

/** Ends connections whose backend the database no longer has. Slow queries are left alone. */
export const endHalfOpen = (pool: pg.Pool, config: DatabaseConfig): (() => void) => {
  // The process id would be that of whichever connection the pooler has given us at that moment.
  if (config.isPooled) return () => undefined
  const backends = new Map<pg.PoolClient, Backend>()
  const out = new Map<pg.PoolClient, number>()
  pool.on('connect', (client) => {
    // A Unix socket cannot be half-open.
    if (client.host.startsWith('/')) return
    const backend: Backend = { pid: undefined, connectedAt: performance.now() }
    backends.set(client, backend)
    client.query<{ pid: number }>('select pg_backend_pid() as pid').then(
      ({ rows }) => {
        backend.pid = rows[0]?.pid
      },
      () => undefined,
    )
    client.query(DATABASE_TIMEOUTS).catch(() => undefined)
  })
  pool.on('acquire', (client) => out.set(client, performance.now()))
  pool.on('release', (_, client) => out.delete(client))
  pool.on('remove', (client) => {
    out.delete(client)
    backends.delete(client)
  })

  const check = async () => {
    const now = performance.now()
    if (![...out].some(([client, since]) => backends.has(client) && isLate(since, now))) return
    const checked = [...backends].flatMap(([client, { pid, connectedAt }]) =>
      pid !== undefined || isLate(connectedAt, now) ? [{ client, pid }] : [],
    )
    const { host, port, pids } = await backendsAlive(
      config,
      checked.flatMap(({ pid }) => pid ?? []),
    )
    for (const { client, pid } of checked) {
      // Without an answer to its first query, while the database answers others, a connection is lost too.
      const isAlive = pid === undefined ? backends.get(client)?.pid !== undefined : pids.has(pid)
      // Another server takes the writes now: what it says of process ids is not about this connection.
      if (client.host !== host || client.port !== port || !isAlive)
        destroyConnection(client, new Error('the database has no backend for this connection any more'))
    }
  }
  // Without a connection to the database nothing can be concluded: the next check will.
  const stop = repeat({ everyMs: CHECK_EVERY_MS, work: check, onError: () => undefined })
  // A check of a server that does not answer would keep the program for seconds.
  return () => void stop()
}

type BackendsAlive = { host: string; port: number; pids: Set<number> }
const backendsAlive = async (config: DatabaseConfig, pids: number[]): Promise<BackendsAlive> => {
  const client = new WatchedClient({ ...config, query_timeout: CHECK_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid = any($1)', [pids])
    return { host: client.host, port: client.port, pids: new Set(rows.map(({ pid }) => pid)) }
  } finally {
    void client.end().catch(() => undefined)
  }
}
