import type { Logger } from 'pino'

/** The pause before what a bad frame may have said is looked for; it doubles while more come. */
const FIRST_MS = 500
const MAX_MS = 10_000
const LOG_EVERY_MS = 60_000

/**
 * Frames that cannot be believed. Each may stand for an action of a copy, of another version or with a broken connection, so
 * it counts as a gap; many at once as one, because an attacker must not keep all pages fetching.
 */
export const makeBadFrames = (log: Pick<Logger, 'warn'>, onGap: (since: number) => void) => {
  let since: number | undefined
  let timer: NodeJS.Timeout | undefined
  let pauseMs = FIRST_MS
  let lastAt = -Infinity
  let loggedAt = -Infinity
  let unlogged = 0

  const note = (channel: string, error: unknown) => {
    unlogged++
    const now = performance.now()
    if (now - loggedAt < LOG_EVERY_MS) return
    const frames = unlogged
    loggedAt = now
    unlogged = 0
    log.warn(
      { err: error, channel, frames },
      'A message in Redis was not written by a copy of this version of the server, and is not believed. What it may have said is read from the database',
    )
  }
  return {
    take(channel: string, error: unknown) {
      note(channel, error)
      const now = performance.now()
      if (now - lastAt > 6 * MAX_MS) pauseMs = FIRST_MS
      lastAt = now
      since ??= now
      timer ??= setTimeout(() => {
        const began = since ?? now
        since = timer = undefined
        pauseMs = Math.min(MAX_MS, pauseMs * 2)
        onGap(began)
      }, pauseMs).unref()
    },
    /** Whether some came lately: perhaps another copy runs. */
    cameWithin: (ms: number) => performance.now() - lastAt < ms,
    stop: () => clearTimeout(timer),
  }
}
