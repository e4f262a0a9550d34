import type { Logger } from 'pino'
import { createClient } from 'redis'

const client = (url: string) =>
  createClient({
    url,
    // A message that cannot be sent now is dropped: a copy that misses one sees the gap in the numbers (live/relay.ts).
    disableOfflineQueue: true,
    pingInterval: 1000,
    socket: { connectTimeout: 2000, socketTimeout: 5000, reconnectStrategy: (tries) => Math.min(50 * tries, 500) },
  })
export type Redis = ReturnType<typeof client>

/** Connects and reconnects for as long as it takes: without Redis this copy serves alone. */
export const openRedis = (url: string, log: Logger): Redis => {
  const redis = client(url)
  let lost = false
  redis.on('error', (error: unknown) => {
    if (!lost)
      log.warn({ err: error }, 'Redis is unreachable. Events of other copies of the server are missed until it is back')
    lost = true
  })
  redis.on('ready', () => {
    if (lost) log.warn('Redis is connected again')
    lost = false
  })
  // Rejects only when the client is closed while connecting.
  redis.connect().catch(() => {})
  return redis
}
