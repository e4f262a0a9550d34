import { BURST, type Limits } from './limits.ts'
import type { LimitClass } from '../config/setting-types.ts'
import type { Redis } from '../data/redis.ts'

/**
 * The bucket of `limits.ts` on the clock of Redis: copies with different clocks count alike. What it has kept is bounded, so
 * a value that no copy has written delays nobody for long.
 */
const TAKE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local rate, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local had, at = tonumber(kept[1]) or most, math.min(now, tonumber(kept[2]) or now)
if not (had >= 0) then had = 0 end
if not (at <= now) then at = now end
local left = math.min(most, had + (now - at) * rate)
local wait = 0
if left < 1 then wait = math.max(1, math.ceil((1 - left) / rate)) else left = left - 1 end
redis.call('HSET', KEYS[1], 'left', string.format('%.6f', left), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(most / rate * 1000) + 1000)
return wait`

const TIMEOUT_MS = 250
const PAUSE_MS = 1000
/** More than any bucket needs. An attacker who changes the answers of Redis delays nobody for longer. */
const MAX_SECONDS = 60

type SharedLimitsOptions = { own: Limits; redis: Redis; prefix: string; limits: Record<LimitClass, number> | undefined }

/**
 * Limits across all copies. Each copy counts by itself first, so without Redis each one allows the full rate. When
 * Redis answers too slowly it is not asked for a second.
 */
export const shareLimits = ({ own, redis, prefix, limits }: SharedLimitsOptions): Limits => {
  if (!limits) return own
  let askAgainAt = 0
  return async (...counted) => {
    const [kind, of] = counted
    const ownWait = await own(...counted)
    if (ownWait !== undefined || !redis.isReady || performance.now() < askAgainAt) return ownWait
    const rate = limits[kind]
    const most = Math.max(1, rate * BURST[kind])
    const asked = redis.eval(TAKE, { keys: [`${prefix}:${kind}:${of}`], arguments: [String(rate), String(most)] })
    const wait = await withTimeout(asked.catch(() => undefined))
    if (typeof wait !== 'number') askAgainAt = performance.now() + PAUSE_MS
    return typeof wait === 'number' && wait > 0 ? Math.min(wait, MAX_SECONDS) : undefined
  }
}

const withTimeout = async <T>(work: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    // An answer that has arrived while this process was busy is read before it counts as late.
    timer = setTimeout(() => setImmediate(() => resolve(undefined)), TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
