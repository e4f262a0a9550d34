import type { Socket } from 'node:net'
import pg from 'pg'

// Half-open connections: the other end is gone without a FIN or RST, so a query is never answered. This happens with a
// database on another machine when the network is cut for longer than a firewall or router remembers the connection.

/** After this long in use, a connection is checked in `pg_stat_activity`. */
const CHECK_AFTER_MS = 4000
const CHECK_EVERY_MS = 1000
const CHECK_TIMEOUT_MS = 3000
/** For the database's end of the connection, which otherwise waits a quarter of an hour for acknowledgements. */
const DATABASE_TIMEOUTS =
  'set tcp_user_timeout = 8000; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 5'

type PooledClient = pg.PoolClient & { host: string; connection: { stream: Socket } }

/** For pg.Pool's `Client`: connecting times out, and idle connections send keep-alives. */
export class WatchedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    const given = typeof config === 'string' ? { connectionString: config } : config
    super({ ...given, connectionTimeoutMillis: 5000, keepAlive: true, keepAliveInitialDelayMillis: 5000 })
  }
}

/** Ends connections whose backend the database no longer has. Slow queries are left alone. */
export const endHalfOpen = (pool: pg.Pool, config: pg.PoolConfig): (() => void) => {
  const known = new Map<PooledClient, number>()
  const out = new Map<PooledClient, number>()
  pool.on('connect', (made) => {
    const client = made as PooledClient
    // A Unix socket cannot be half-open.
    if (client.host.startsWith('/')) return
    client.query<{ pid: number }>('select pg_backend_pid() as pid').then(
      ({ rows }) => rows[0] && known.set(client, rows[0].pid),
      () => undefined,
    )
    client.query(DATABASE_TIMEOUTS).catch(() => undefined)
  })
  pool.on('acquire', (client) => out.set(client as PooledClient, performance.now()))
  pool.on('release', (_, client) => out.delete(client as PooledClient))
  pool.on('remove', (client) => {
    out.delete(client as PooledClient)
    known.delete(client as PooledClient)
  })

  const check = async () => {
    const now = performance.now()
    if (![...out].some(([client, since]) => known.has(client) && now - since > CHECK_AFTER_MS)) return
    const checked = new Map(known)
    const living = await backendsAlive(config, [...checked.values()])
    for (const [client, pid] of checked) {
      if (!living.has(pid))
        client.connection.stream.destroy(new Error('the database has no backend for this connection any more'))
    }
  }
  let checking = false
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    // Without a connection to the database nothing can be concluded: the next check will.
    void check()
      .catch(() => undefined)
      .finally(() => (checking = false))
  }, CHECK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

const backendsAlive = async (config: pg.PoolConfig, pids: number[]): Promise<Set<number>> => {
  const client = new WatchedClient({ ...config, query_timeout: CHECK_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid = any($1)', [pids])
    return new Set(rows.map(({ pid }) => pid))
  } finally {
    void client.end().catch(() => undefined)
  }
}
