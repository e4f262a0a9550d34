const FIRST_MS = 1000
const MOST_MS = 60_000

/** Later and later, and not all pages at the same moment. */
const wait = (tries: number) => Math.min(MOST_MS, FIRST_MS * 2 ** tries) * (0.5 + Math.random() / 2)

/** @returns true when it ended because the browser said that the line is back */
const lineOr = (ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isBack: boolean) => {
      clearTimeout(timer)
      window.removeEventListener('online', onLine)
      resolve(isBack)
    }
    const onLine = () => end(true)
    const timer = setTimeout(() => end(false), ms)
    window.addEventListener('online', onLine)
  })

/** Asks until there is an answer or nobody wants one any more: less and less often, and at once when the line is back. */
export const retryUntilDone = async <T>(ask: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> => {
  for (let tries = 0; isWanted(); ) {
    try {
      return await ask()
    } catch {
      tries = (await lineOr(wait(tries))) ? 0 : tries + 1
    }
  }
  return undefined
}
