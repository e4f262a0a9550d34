import { refuse } from './refusal.ts'

/**
 * Runs at most `most` works of a key at once; its others wait in order, those of other keys do not. What waits holds
 * memory, so beyond `mostWaiting` it is refused.
 */
export const makeLanes = <K>(most: number, mostWaiting = 100) => {
  const lanes = new Map<K, { running: number; waiting: (() => void)[] }>()
  /** @throws Refused server.busy when too many wait */
  return async <T>(key: K, work: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    lanes.set(key, lane)
    if (lane.waiting.length >= mostWaiting) return refuse('server.busy')
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
