import type { Socket } from 'node:net'
import pg from 'pg'

// A connection whose other end has gone without a word: what is asked over it is never answered. To a database on another
// machine that happens when the way between is cut for longer than something on it remembers us.

/** How long a connection is out before somebody looks whether the database still knows of it. */
const LOOK_AFTER_MS = 4000
const LOOK_EVERY_MS = 1000
const MOST_MS = 3000
/** The database's end of it, which otherwise waits for a quarter of an hour for us to take what it has sent. */
const GIVE_UP =
  'set tcp_user_timeout = 8000; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 5'

type Wired = pg.PoolClient & { host: string; connection: { stream: Socket } }

/** For pg.Pool's `Client`: whoever does not get through says so soon, and whoever is quiet is asked whether he lives. */
export class WatchedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    const given = typeof config === 'string' ? { connectionString: config } : config
    super({ ...given, connectionTimeoutMillis: 5000, keepAlive: true, keepAliveInitialDelayMillis: 5000 })
  }
}

/** Ends connections that the database knows nothing of. Those that only take long are left alone. */
export const endHalfOpen = (pool: pg.Pool, config: pg.PoolConfig): (() => void) => {
  const known = new Map<Wired, number>()
  const out = new Map<Wired, number>()
  pool.on('connect', (made) => {
    const client = made as Wired
    // On a socket of this machine there is nothing between.
    if (client.host.startsWith('/')) return
    client.query<{ pid: number }>('select pg_backend_pid() as pid').then(
      ({ rows }) => rows[0] && known.set(client, rows[0].pid),
      () => undefined,
    )
    client.query(GIVE_UP).catch(() => undefined)
  })
  pool.on('acquire', (client) => out.set(client as Wired, performance.now()))
  pool.on('release', (_, client) => out.delete(client as Wired))
  pool.on('remove', (client) => {
    out.delete(client as Wired)
    known.delete(client as Wired)
  })

  const look = async () => {
    const now = performance.now()
    if (![...out].some(([client, since]) => known.has(client) && now - since > LOOK_AFTER_MS)) return
    const asked = new Map(known)
    const living = await livingOf(config, [...asked.values()])
    for (const [client, pid] of asked) {
      if (!living.has(pid)) client.connection.stream.destroy(new Error('the database knows nothing of this connection'))
    }
  }
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    // Without a way to the database nobody can say: the next look will.
    void look()
      .catch(() => undefined)
      .finally(() => (looking = false))
  }, LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

const livingOf = async (config: pg.PoolConfig, pids: number[]): Promise<Set<number>> => {
  const client = new WatchedClient({ ...config, query_timeout: MOST_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid = any($1)', [pids])
    return new Set(rows.map(({ pid }) => pid))
  } finally {
    void client.end().catch(() => undefined)
  }
}
