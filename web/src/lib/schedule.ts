/** Splits the work of a page into pieces, so that a key or a click between two pieces is answered at once. */

/** Runs it in a task of its own. In the present task it would delay the first drawing of the page. */
export const inNextTask = (run: () => void): void => void setTimeout(run)

/** Runs it before the next frame; the answer cancels it. A long list drawn in one frame would freeze the page. */
export const inNextFrame = (run: () => void): (() => void) => {
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

/** Runs it once the browser is idle, after 2 seconds at the latest. Earlier it would delay what the user does now. */
export const whenIdle = (run: () => void): void => {
  // Older versions of Safari have no `requestIdleCallback`.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 200)
}
