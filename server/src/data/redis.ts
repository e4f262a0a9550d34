import type { Logger } from 'pino'
import type { createClient, RedisClientOptions } from 'redis'
import { parseRedisUrl, type RedisAddress } from '../config/redis-url.ts'

type Create = typeof createClient
type Client = ReturnType<Create>

/** Reconnects for as long as it takes; with Sentinel, to whichever server is the master by then. */
export type Redis = {
  readonly isReady: boolean
  publish(channel: string, text: string): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  /**
   * Another connection, which receives a channel, and those that are added. `onReady`: it receives them all from now on,
   * after each reconnection again. What one connection publishes arrives in that order, whatever the channels.
   */
  listen(channel: string, receive: Receive, onReady: () => void): Listener
  destroy(): void
}
type Receive = (text: string, channel: string) => void
export type Listener = {
  readonly isReady: boolean
  /** Resolves to true when these are received too; to false when they will only be from the next `onReady` on. */
  add(channels: string[]): Promise<boolean>
  drop(channels: string[]): void
  destroy(): void
}

const PAUSE_MS = 200
const SENTINEL_MS = 1000
/** A lost server is tried this often before Sentinel is asked for the master. */
const TRIES = 2
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const optionsFor = (where: Pick<RedisClientOptions, 'url' | 'username' | 'password' | 'socket'>, givesUp: boolean) => ({
  ...where,
  // A message that cannot be sent now is dropped: a copy that misses one sees the gap in the numbers (live/relay.ts).
  disableOfflineQueue: true,
  pingInterval: 1000,
  socket: {
    ...where.socket,
    connectTimeout: 2000,
    socketTimeout: 5000,
    reconnectStrategy: (tries: number) => (givesUp && tries >= TRIES ? false : Math.min(50 * tries, 500)),
  },
})

/** Asks one Sentinel after the other. @throws when none knows the master */
const findMaster = async (create: Create, { name, sentinels }: Extract<RedisAddress, { name: string }>) => {
  for (const { host, port } of sentinels) {
    const client = create({ socket: { host, port, connectTimeout: SENTINEL_MS, reconnectStrategy: false } })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const found: unknown = await client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])
      if (Array.isArray(found)) return { host: String(found[0]), port: Number(found[1]) }
    } catch {
      // The next one may answer.
    } finally {
      if (client.isOpen) client.destroy()
    }
  }
  throw new Error(`no Sentinel of ${sentinels.map(({ host, port }) => `${host}:${port}`).join(', ')} knows ${name}`)
}

/** Makes a client that is not connected yet. */
const clientMaker = (create: Create, address: RedisAddress) => async (): Promise<Client> => {
  if ('url' in address) return create(optionsFor(address, false))
  const { username, password } = address
  const socket = await findMaster(create, address)
  return create(optionsFor({ socket, ...(username ? { username } : {}), ...(password ? { password } : {}) }, true))
}

/** Opens a client, and another one whenever it has given up. */
const keepOpen = (
  make: () => Promise<Client>,
  { onError, onReady }: { onError: (error: unknown) => void; onReady: (client: Client) => void },
) => {
  let client: Client | undefined
  let closed = false
  const open = async () => {
    const made = await make()
    if (closed) return
    client = made
    const ended = new Promise<void>((resolve) => {
      made.on('error', (error: unknown) => {
        if (!closed) onError(error)
        setImmediate(() => made.isOpen || resolve())
      })
    })
    made.on('ready', () => onReady(made))
    await made.connect()
    await ended
  }
  const run = async () => {
    while (!closed) {
      await open().catch((error: unknown) => closed || onError(error))
      if (!closed) await pause(PAUSE_MS)
    }
  }
  void run()
  return {
    current: () => client,
    close: () => {
      closed = true
      if (client?.isOpen) client.destroy()
    },
  }
}

const listen = (make: () => Promise<Client>, channel: string, receive: Receive, onListening: () => void): Listener => {
  const wanted = new Set([channel])
  const link = keepOpen(make, {
    onError: () => undefined,
    onReady: (made) => {
      // The library repeats its subscriptions after a reconnection, but another client begins with none. No command is sent
      // for those that it has.
      made.subscribe([...wanted], receive).then(onListening, () => undefined)
    },
  })
  const isReady = () => link.current()?.isReady === true
  return {
    get isReady() {
      return isReady()
    },
    async add(channels) {
      for (const name of channels) wanted.add(name)
      // A command that is given before the connection is ready would wait in the library, and come too late.
      if (!isReady()) return false
      return (
        link
          .current()
          ?.subscribe(channels, receive)
          .then(
            () => true,
            () => false,
          ) ?? false
      )
    },
    drop(channels) {
      for (const name of channels) wanted.delete(name)
      if (isReady())
        link
          .current()
          ?.unsubscribe(channels, receive)
          .catch(() => undefined)
    },
    destroy: link.close,
  }
}

/** Does not wait for a connection: without Redis this copy serves alone. */
export const openRedis = async (url: string, log: Logger): Promise<Redis> => {
  // A fifth of the time that all packages take to load, and most installations are one copy without it.
  const { createClient: create } = await import('redis')
  const make = clientMaker(create, parseRedisUrl(url) ?? { url })
  let lost = false
  const onError = (error: unknown) => {
    if (!lost)
      log.warn({ err: error }, 'Redis is unreachable. Events of other copies of the server are missed until it is back')
    lost = true
  }
  const onReady = () => {
    if (lost) log.warn('Redis is connected again')
    lost = false
  }
  const link = keepOpen(make, { onError, onReady })
  const client = () => {
    const open = link.current()
    if (!open) throw new Error('Redis was not reached yet')
    return open
  }
  return {
    get isReady() {
      return link.current()?.isReady === true
    },
    publish: async (channel, text) => client().publish(channel, text),
    eval: async (script, options) => client().eval(script, options),
    listen: (channel, receive, onListening) => listen(make, channel, receive, onListening),
    destroy: link.close,
  }
}
