const FIRST_MS = 1000
const MAX_MS = 60_000

/** Exponential back-off with jitter, so that not all pages retry at the same moment. */
const backoff = (tries: number) => Math.min(MAX_MS, FIRST_MS * 2 ** tries) * (0.5 + Math.random() / 2)

/** Waits. @returns true when the browser's `online` event ended the wait early */
const waitOrOnline = (ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isOnline: boolean) => {
      clearTimeout(timer)
      window.removeEventListener('online', onOnline)
      resolve(isOnline)
    }
    const onOnline = () => end(true)
    const timer = setTimeout(() => end(false), ms)
    window.addEventListener('online', onOnline)
  })

/**
 * Retries `ask` until it succeeds or is no longer wanted: at growing intervals, and at once when the network is back.
 * @returns undefined when no longer wanted
 */
export const retryUntilDone = async <T>(ask: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> => {
  for (let tries = 0; isWanted(); ) {
    try {
      return await ask()
    } catch {
      tries = (await waitOrOnline(backoff(tries))) ? 0 : tries + 1
    }
  }
  return undefined
}
