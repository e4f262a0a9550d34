import type { Logger } from 'pino'
import { createClient } from 'redis'

const client = (url: string) =>
  createClient({
    url,
    // What cannot be said now is not said later: whoever missed it finds out by the numbers (relay.ts).
    disableOfflineQueue: true,
    pingInterval: 1000,
    socket: { connectTimeout: 2000, socketTimeout: 5000, reconnectStrategy: (tries) => Math.min(50 * tries, 500) },
  })
export type Redis = ReturnType<typeof client>

/** Connects, and again whenever it is lost, for as long as it takes: without Redis the house goes on alone. */
export const openRedis = (url: string, log: Logger): Redis => {
  const redis = client(url)
  let lost = false
  redis.on('error', (error: unknown) => {
    if (!lost) log.warn({ err: error }, 'Redis is not there: other copies of the server are not heard until it is back')
    lost = true
  })
  redis.on('ready', () => {
    if (lost) log.warn('Redis is back')
    lost = false
  })
  // Refused only when it is closed while it tries.
  redis.connect().catch(() => {})
  return redis
}
