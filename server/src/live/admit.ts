import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseAway } from '../data/faults.ts'

/** Below `connectTimeout`, after which the library closes a socket that has not signed in. */
const HOLD_MS = 8000

/**
 * Signs a socket in, and waits while the database is away. Clients of Socket.IO do not try again after a refusal, and may take
 * it for the end of the session. The pauses are random, so that a crowd does not come all at once.
 */
export const admitWhenBack = async <T>(admit: () => Promise<T>, isOpen: () => boolean): Promise<T> => {
  const until = performance.now() + HOLD_MS
  for (;;) {
    try {
      return await admit()
    } catch (error) {
      if (!(error instanceof DatabaseAway) || performance.now() > until || !isOpen()) throw error
    }
    await pause(200 + Math.random() * 800)
  }
}
