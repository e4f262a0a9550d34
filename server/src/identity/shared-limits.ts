import { BURST, type Limits } from './limits.ts'
import type { LimitClass } from '../config/setting-types.ts'
import type { Redis } from '../data/redis.ts'

/** The same bucket as in `limits.ts`, by the clock of Redis, so that copies with other clocks count alike. */
const TAKE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local rate, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left = math.min(most, (tonumber(kept[1]) or most) + math.max(0, now - (tonumber(kept[2]) or now)) * rate)
local wait = 0
if left < 1 then wait = math.max(1, math.ceil((1 - left) / rate)) else left = left - 1 end
redis.call('HSET', KEYS[1], 'left', string.format('%.6f', left), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(most / rate * 1000) + 1000)
return wait`

const PATIENCE_MS = 250
const PAUSE_MS = 1000

type Shared = { own: Limits; redis: Redis; prefix: string; limits: Record<LimitClass, number> | undefined }

/**
 * Limits across all copies. Each counts by itself first: that holds when Redis is gone, and then each copy allows what one
 * alone would. A Redis that is slow to answer is not asked again for a second.
 */
export const shareLimits = ({ own, redis, prefix, limits }: Shared): Limits => {
  if (!limits) return own
  let askAgainAt = 0
  return async (kind, of) => {
    const alone = await own(kind, of)
    if (alone !== undefined || !redis.isReady || performance.now() < askAgainAt) return alone
    const rate = limits[kind]
    const most = Math.max(1, rate * BURST[kind])
    const asked = redis.eval(TAKE, { keys: [`${prefix}:${kind}:${of}`], arguments: [String(rate), String(most)] })
    const wait = await inTime(asked.catch(() => undefined))
    if (typeof wait !== 'number') askAgainAt = performance.now() + PAUSE_MS
    return typeof wait === 'number' && wait > 0 ? wait : undefined
  }
}

const inTime = async <T>(work: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    // An answer that is already here, while this process was busy, is read before it counts as late.
    timer = setTimeout(() => setImmediate(() => resolve(undefined)), PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
