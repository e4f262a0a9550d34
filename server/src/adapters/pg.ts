import pg from 'pg'

// This file uses what the documentation of node-postgres does not promise. The test beside it fails when a version moves it.

/**
 * Sends what is queued until the running callbacks are done, promises included, as one packet: a socket write of its own
 * costs as much as a query. Without the socket each query is a packet of its own.
 */
export const corkUntilIdle = ({ connection }: pg.Client): void => {
  const stream = connection?.stream
  if (!stream?.cork) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Fails what a connection waits for, though its other end may never answer. */
export const destroyConnection = (client: pg.Client, error: Error): void => {
  const stream = client.connection?.stream
  if (stream?.destroy) stream.destroy(error)
  else void client.end().catch(() => undefined)
}

/** The process of the database that the other end named when the connection began; undefined when pg does not tell it. */
export const announcedProcess = (client: pg.Client): number | undefined =>
  (client as unknown as { processID?: number | null }).processID ?? undefined

type Server = { host: string; port: number }
type ClientConfig = pg.ClientConfig & {
  /** Finds the one of several servers that takes writes. */
  servers?: {
    primary(): Promise<Server>
    forget(server: Server): void
    /** @throws when the server that this client is connected to takes no writes */
    check(client: pg.ClientBase, server: Server): Promise<void>
  }
}
type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * For pg.Pool's `Client` and alone: connecting times out, and idle connections send keep-alives. With several `servers` it
 * connects to the one that takes writes.
 */
export class WatchedClient extends pg.Client {
  readonly #servers: ClientConfig['servers']

  constructor(config?: string | ClientConfig) {
    const given = typeof config === 'string' ? { connectionString: config } : config
    super({ ...given, connectionTimeoutMillis: 5000, keepAlive: true, keepAliveInitialDelayMillis: 5000 })
    this.#servers = typeof config === 'string' ? undefined : config?.servers
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const answer = callback as ((error: Error | null, client?: pg.Client) => void) | undefined
    // The driver calls its callback in the same tick, so pg.Pool misses no error in between.
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

  async #connectToPrimary(servers: NonNullable<ClientConfig['servers']>): Promise<pg.Client> {
    const server = await servers.primary()
    this.host = server.host
    this.port = server.port
    // Also without another listener: an error of a connection must not end the process.
    this.on('error', () => servers.forget(server))
    try {
      await super.connect()
      await servers.check(this, server)
      return this
    } catch (error) {
      servers.forget(server)
      void this.end().catch(() => undefined)
      throw error
    }
  }
}
