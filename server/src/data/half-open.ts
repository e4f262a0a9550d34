import type { Socket } from 'node:net'
import pg from 'pg'
import { repeat } from '../lib/concurrency.ts'
import { type DatabaseConfig, isReadOnly, type Servers } from './servers.ts'

// Half-open connections: the other end is gone without a FIN or RST, so a query is never answered. This happens with a
// database on another machine when the network is cut for longer than a firewall or router remembers the connection.

/** After this long in use, a connection is checked in `pg_stat_activity`. */
const CHECK_AFTER_MS = 4000
const CHECK_EVERY_MS = 1000
const CHECK_TIMEOUT_MS = 3000
/** For the database's end of the connection, which otherwise waits a quarter of an hour for acknowledgements. */
const DATABASE_TIMEOUTS =
  'set tcp_user_timeout = 8000; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 5'

type PooledClient = pg.PoolClient & { host: string; port: number; connection: { stream: Socket } }
type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * For pg.Pool's `Client` and alone: connecting times out, and idle connections send keep-alives. With several `servers` it
 * connects to the one that takes writes.
 */
export class WatchedClient extends pg.Client {
  readonly #servers: Servers | undefined

  constructor(config?: string | DatabaseConfig) {
    const given = typeof config === 'string' ? { connectionString: config } : config
    super({ ...given, connectionTimeoutMillis: 5000, keepAlive: true, keepAliveInitialDelayMillis: 5000 })
    this.#servers = given?.servers
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const answer = callback as ((error: Error | null, client?: pg.Client) => void) | undefined
    // With its callback the driver calls back in the same tick: pg.Pool then misses no error in between.
    if (!this.#servers && answer) {
      super.connect(answer)
      return undefined
    }
    const connecting = this.#servers ? this.#connectToPrimary(this.#servers) : super.connect()
    if (!answer) return connecting
    connecting.then(
      () => answer(null, this),
      (error: Error) => answer(error),
    )
    return undefined
  }

  async #connectToPrimary(servers: Servers): Promise<pg.Client> {
    const server = await servers.primary()
    this.host = server.host
    this.port = server.port
    // Also without another listener: an error of a connection must not end the process.
    this.on('error', () => servers.forget(server))
    try {
      await super.connect()
      // It may have been demoted since it was last asked.
      if (await isReadOnly(this)) throw new Error(`${server.host}:${server.port} takes no writes any more`)
      return this
    } catch (error) {
      servers.forget(server)
      void this.end().catch(() => undefined)
      throw error
    }
  }
}

/** Ends connections whose backend the database no longer has. Slow queries are left alone. */
export const endHalfOpen = (pool: pg.Pool, config: DatabaseConfig): (() => void) => {
  // The process id would be that of whichever connection the pooler has given us at that moment.
  if (config.isPooled) return () => undefined
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
    const { host, port, pids } = await backendsAlive(config, [...checked.values()])
    for (const [client, pid] of checked) {
      // Another server takes the writes now: what it says of process ids is not about this connection.
      if (client.host !== host || client.port !== port || !pids.has(pid))
        client.connection.stream.destroy(new Error('the database has no backend for this connection any more'))
    }
  }
  // Without a connection to the database nothing can be concluded: the next check will.
  const stop = repeat({ everyMs: CHECK_EVERY_MS, work: check, onError: () => undefined })
  // A check of a server that does not answer would keep the program for seconds.
  return () => void stop()
}

type Backends = { host: string; port: number; pids: Set<number> }
const backendsAlive = async (config: DatabaseConfig, pids: number[]): Promise<Backends> => {
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
