/** Splits a page's work into pieces, so that keys and clicks are handled between them. */

/** Runs it in the next task. In the current one it would delay the first paint. */
export const inNextTask = (run: () => void): void => void setTimeout(run)

/**
 * Runs it before the next frame: a long list rendered in one frame would freeze the page. @returns a function that
 * cancels
 */
export const inNextFrame = (run: () => void): (() => void) => {
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

const asIdle = (run: () => void, options?: IdleRequestOptions): void => {
  // Older versions of Safari have no `requestIdleCallback`.
  if ('requestIdleCallback' in window) requestIdleCallback(run, options)
  else setTimeout(run, 200)
}

/** Runs it when the browser is idle, after 2 seconds at the latest, so that it does not delay the user's input. */
export const whenIdle = (run: () => void): void => asIdle(run, { timeout: 2000 })

/**
 * Runs it when the browser is idle, however late that is: loading ahead, forced into a busy moment, takes several frames
 * from the user who scrolls.
 */
export const onceIdle = (run: () => void): void => asIdle(run)
