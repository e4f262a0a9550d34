import type { LimitClass } from '../config/setting-types.ts'
import type { Settings } from '../config/settings.ts'
import type { Network } from '../lib/address.ts'
type Wait = number | undefined
/** Calls are counted by these. An address counts as its network: else a customer of IPv6 would have 2^64 buckets. */
export type Counted =
  | [kind: 'address' | 'open', of: Network]
  | [kind: Exclude<LimitClass, 'address' | 'open'>, of: string]
/** Takes one call from a bucket. Returns the seconds to wait when the bucket is empty. */
export type Limits = (...counted: Counted) => Wait | Promise<Wait>

type Bucket = { left: number; at: number }
/** After a pause, this many seconds' worth of calls may come at once. */
export const BURST = { read: 5, write: 5, upload: 20, open: 12, address: 5, key: 5 } as const
const MAX_BUCKETS = 100_000

/**
 * Rate limits: reads and writes of a session, uploads of an account, calls without a session, of a key, and all calls of
 * an address. Counted in each process, to protect the process; `shared-limits.ts` counts across all copies.
 */
export const makeLimits = (settings: Pick<Settings, 'limits'>, now?: () => number) => makeBuckets(settings, now).take

/** The same, where other processes count too: `spend` takes what they have let pass, and may empty a bucket below 0. */
export const makeBuckets = ({ limits }: Pick<Settings, 'limits'>, now = () => performance.now() / 1000) => {
  if (!limits) return { take: (): Wait => undefined, spend: () => {} }
  const bucketOf = keptBuckets(now)
  const fill = (kind: LimitClass, of: string) => bucketOf(`${kind} ${of}`, limits[kind], BURST[kind])
  return {
    take: (...[kind, of]: Counted): Wait => takeOne(fill(kind, of)),
    spend: (kind: LimitClass, of: string, calls: number) => {
      const { bucket, most } = fill(kind, of)
      bucket.left = Math.max(-most, bucket.left - calls)
    },
  }
}

/** Takes one call from the bucket of a key that has a rate of its own. Counted in each process. */
export const makeKeyRates = (now = () => performance.now() / 1000) => {
  const bucketOf = keptBuckets(now)
  return (keyId: string, perSecond: number): Wait => takeOne(bucketOf(keyId, perSecond, 1))
}

type Filled = { bucket: Bucket; rate: number; most: number }
const takeOne = ({ bucket, rate }: Filled): Wait => {
  if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / rate))
  bucket.left -= 1
  return undefined
}

/** Buckets by their names, each filled up to now. After a pause it has `burst` seconds' worth. */
const keptBuckets = (now: () => number) => {
  const buckets = new Map<string, Bucket>()

  /** Drops full buckets, which carry no information; when too many others remain, all start again. */
  const clear = () => {
    const at = now()
    for (const [key, bucket] of buckets) if (at - bucket.at > 60) buckets.delete(key)
    if (buckets.size >= MAX_BUCKETS) buckets.clear()
  }

  return (key: string, rate: number, burst: number): Filled => {
    const most = Math.max(1, rate * burst)
    const at = now()
    const bucket = buckets.get(key) ?? { left: most, at }
    if (buckets.size >= MAX_BUCKETS && !buckets.has(key)) clear()
    buckets.set(key, bucket)
    bucket.left = Math.min(most, bucket.left + (at - bucket.at) * rate)
    bucket.at = at
    return { bucket, rate, most }
  }
}
