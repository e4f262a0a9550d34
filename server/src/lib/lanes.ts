import { refuse } from './refusal.ts'

/** Of one key. What waits holds memory. */
const MOST_WAITING = 100

/** Runs at most `most` works of a key at once; its others wait in order, those of other keys do not. */
export const makeLanes = (most: number) => {
  const lanes = new Map<number, { running: number; waiting: (() => void)[] }>()
  /** @throws Refused server.busy when too many wait */
  return async <T>(key: number, work: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    lanes.set(key, lane)
    if (lane.waiting.length >= MOST_WAITING) return refuse('server.busy')
    if (lane.running < most) lane.running++
    else await new Promise<void>((start) => lane.waiting.push(start))
    try {
      return await work()
    } finally {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) lanes.delete(key)
    }
  }
}
