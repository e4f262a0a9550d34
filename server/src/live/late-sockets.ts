/** Longer than admitting a socket takes once its session has been read. */
const KEPT_MS = 30_000

/**
 * The channels whose sockets were closed or moved a moment ago. A socket that was being admitted meanwhile was in no
 * channel yet, so it was left out: it has to connect again, and what it may hear is read again.
 */
export const lateSockets = () => {
  const times = new Map<string, number>()
  return {
    note(channels: string[]) {
      const now = performance.now()
      for (const name of channels) {
        times.delete(name)
        times.set(name, now)
      }
      // In the order of their times.
      for (const [name, at] of times) {
        if (at > now - KEPT_MS) break
        times.delete(name)
      }
    },
    /** Whether something was done to one of these channels since this time of `performance.now()`. */
    isLate: (channels: string[], since: number): boolean =>
      channels.some((name) => (times.get(name) ?? -Infinity) >= since),
  }
}
