import { getStored } from '../lib/storage.ts'
import { CallError, NO_ANSWER } from './call.ts'
import { nextTry } from './connection.ts'

/**
 * Repeats a request until its outcome is known. Safe, because a request_id has its effect once. `onUnknown` runs each
 * time when no answer came.
 */
export const untilAnswered = async <A>(send: () => Promise<A>, onUnknown: () => unknown): Promise<A> => {
  const account = getStored('user_id')
  // A page that is left forgets the request_id: the same sent again would move the points twice.
  const stay = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', stay)
  try {
    for (let tries = 0; ; tries++) {
      try {
        return await send()
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== NO_ANSWER) throw error
        onUnknown()
        await nextTry(tries)
        // Another account that has signed in here meanwhile must not pay.
        if (getStored('user_id') !== account) throw error
      }
    }
  } finally {
    window.removeEventListener('beforeunload', stay)
  }
}
