/** Lets `most` pieces of work run at once; others wait for their turn, first come, first served. */
export type Places = {
  /** Waits for a place. Returns what gives it back. `signal`: stops waiting. */
  take(signal: AbortSignal): Promise<() => void>
}

export const makePlaces = (most: number): Places => {
  let free = most
  const waiting = new Set<() => void>()
  const giveBack = () => {
    const [next] = waiting
    if (!next) {
      free++
      return
    }
    waiting.delete(next)
    next()
  }
  const once = () => {
    let isGiven = false
    return () => {
      if (!isGiven) giveBack()
      isGiven = true
    }
  }
  return {
    take: (signal) =>
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
