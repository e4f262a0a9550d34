import { refuse } from './refusal.ts'

type Limit = {
  concurrency: number
  /** Waiting work holds memory, so more than this is refused. */
  maxWaiting?: number
}

/**
 * Runs at most `concurrency` works of a key at once. Its others wait in order; those of other keys do not wait for them.
 * @throws Refused server.busy when too much waits
 */
export const keyedLimit = <K>({ concurrency, maxWaiting = 100 }: Limit) => {
  const queues = new Map<K, { running: number; waiting: (() => void)[] }>()
  return async <T>(key: K, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < concurrency) queue.running++
    else if (queue.waiting.length >= maxWaiting) return refuse('server.busy')
    else await new Promise<void>((start) => queue.waiting.push(start))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}

/** Runs at most `concurrency` works at once. @throws Refused server.busy when too much waits */
export const limitOf = (limit: Limit) => {
  const run = keyedLimit<'all'>(limit)
  return <T>(work: () => Promise<T>): Promise<T> => run('all', work)
}

export type FairLimit<K> = <T>(key: K, work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `total` works at once. Of each key only `concurrency` works run or wait in the common queue, and its others
 * wait behind them: a key with much work delays other keys by little.
 * @throws Refused server.busy when too much of a key waits
 */
export const fairLimit = <K>({ total, ...ofEach }: Limit & { total: number }): FairLimit<K> => {
  const ofKey = keyedLimit<K>(ofEach)
  const ofAll = limitOf({ concurrency: total, maxWaiting: Infinity })
  return (key, work) => ofKey(key, () => ofAll(work))
}

export type Semaphore = {
  /** Waits until fewer than `size` hold it, first come, first served. Returns what releases it. `signal` ends the wait. */
  acquire: (signal: AbortSignal) => Promise<() => void>
}

export const semaphore = (size: number): Semaphore => {
  let free = size
  const waiting = new Set<() => void>()
  const release = () => {
    const [next] = waiting
    if (!next) {
      free++
      return
    }
    waiting.delete(next)
    next()
  }
  const once = () => {
    let isReleased = false
    return () => {
      if (!isReleased) release()
      isReleased = true
    }
  }
  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        if (free > 0) {
          free--
          return resolve(once())
        }
        const stop = () => {
          waiting.delete(begin)
          reject(signal.reason as Error)
        }
        const begin = () => {
          signal.removeEventListener('abort', stop)
          resolve(once())
        }
        waiting.add(begin)
        signal.addEventListener('abort', stop, { once: true })
      }),
  }
}

export class TimeoutError extends Error {}

/** The result of work. The work itself goes on after `ms`. @throws TimeoutError */
export const withTimeout = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`no result within ${ms} ms`)), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/** Does the work for each item, in chunks of `size` at once. The first error ends it. */
export const inChunks = async <T>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work))
}

type Repeated = {
  everyMs: number
  /** `isStopped`: work in several steps ends early. */
  work: (isStopped: () => boolean) => Promise<unknown>
  onError: (error: unknown) => void
  /** Begins at once instead of after the first pause. */
  atOnce?: boolean
}

/**
 * Repeats work, never twice at the same time, until it is stopped. Stopping waits for what is under way: otherwise its
 * query fails when the database stops, and the log ends with an error that is none.
 */
export const repeat = ({ everyMs, work, onError, atOnce = false }: Repeated): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  let stopped = false
  const run = async () => {
    try {
      await work(() => stopped)
    } catch (error) {
      onError(error)
    } finally {
      running = undefined
    }
  }
  const begin = () => {
    running ??= run()
  }
  if (atOnce) begin()
  const timer = setInterval(begin, everyMs)
  timer.unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await running
  }
}
