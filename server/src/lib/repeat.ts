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
