import type { LimitClass } from '../config/setting-types.ts'
import type { Settings } from '../config/settings.ts'
import { type Limits, makeBuckets } from '../identity/limits.ts'
import type { Link } from './link.ts'

const TELL_MS = 10

/**
 * The limits of a worker. Each counts by itself and tells the others what it let pass, so a moment later all count alike,
 * and no call waits for another process.
 */
export const workerLimits = (link: Pick<Link, 'on' | 'tell'>, settings: Pick<Settings, 'limits'>): Limits => {
  const { take, spend } = makeBuckets(settings)
  if (!settings.limits) return take
  /** Calls by class and of whom, as 'read 17'. */
  let taken = new Map<string, number>()
  const tell = () => {
    link.tell('taken', taken)
    taken = new Map()
  }
  link.on({
    taken: (calls: Map<string, number>) => {
      for (const [key, n] of calls) {
        const space = key.indexOf(' ')
        spend(key.slice(0, space) as LimitClass, key.slice(space + 1), n)
      }
    },
  })
  return (...counted) => {
    const wait = take(...counted)
    if (wait !== undefined) return wait
    const [kind, of] = counted
    const key = `${kind} ${of}`
    if (taken.size === 0) setTimeout(tell, TELL_MS).unref()
    taken.set(key, (taken.get(key) ?? 0) + 1)
    return undefined
  }
}
