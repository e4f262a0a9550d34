/**
 * The server's clock. A device may show any time, so nothing that a list holds may come from its clock: the time of the
 * newest answer is carried on by `performance.now()`, which no setting of the device moves.
 */

/** The server's time less `performance.now()`, in ms; undefined before the first answer. */
let offset: number | undefined
/** The device's time less `performance.now()` at the newest answer, in ms. */
let deviceOffset = 0
const listeners = new Set<() => void>()

/** A smaller change is the latency of an answer, or a device that corrects its clock. */
const JUMP_MS = 2000

/**
 * Reads the Date header of an answer that has just come. It has whole seconds, so the server's time is at least that
 * now, and was at most a second later when the request was sent at `sentAt` (of `performance.now()`). Without `sentAt`
 * the answer may come from a cache.
 */
export const noteServerTime = (date: string | null, sentAt = -Infinity): void => {
  const stamped = Date.parse(date ?? '')
  if (Number.isNaN(stamped)) return
  const least = stamped - performance.now()
  const most = stamped + 1000 - sentAt
  const before = offset ?? Date.now() - performance.now()
  offset = Math.min(Math.max(offset ?? least, least), most)
  deviceOffset = Date.now() - performance.now()
  if (Math.abs(offset - before) > JUMP_MS) for (const listener of listeners) listener()
}

/** The server's time in ms at a moment of `performance.now()`. */
export const serverTimeAt = (moment: number): number => moment + (offset ?? Date.now() - performance.now())

/** The server's time in ms. Before the first answer it is the device's, when there is nothing to show yet. */
export const serverNow = (): number => (offset === undefined ? Date.now() : performance.now() + offset)

/**
 * Whether the two clocks of the device have come apart since the newest answer: it slept, which stops
 * `performance.now()` in some browsers, or its clock was set. Only the server can tell which.
 */
export const isClockInDoubt = (): boolean =>
  offset !== undefined && Math.abs(Date.now() - performance.now() - deviceOffset) > JUMP_MS

/** Calls `listener` when an answer shows that the time is another one. @returns a function that unsubscribes */
export const onClockSet = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** A test forgets what was learned: as before the first answer. */
export const forgetServerTime = (): void => {
  offset = undefined
}
