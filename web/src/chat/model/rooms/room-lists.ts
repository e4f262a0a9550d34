import type { Call } from '../../../api/call.ts'
import type { ListStatus } from './list-index.ts'
import { type Loading, messageOf } from './loading.ts'
import type { Summaries } from './summaries.ts'

/** Loads the lists of rooms, and what has changed in them since. Their rooms are in `summaries`. */
export const makeRoomLists = (ask: Call, summaries: Summaries, onChange: () => void) => {
  const lists = new Map<ListStatus, { loading: Loading; error?: string }>()
  let cursor: string | undefined
  let changedWhileLoading = false
  let catchingUp: { again: boolean; promise: Promise<void> } | undefined
  let generation = 0

  /** Loads a list for the first time, or again after a failure. */
  const load = async (status: ListStatus): Promise<void> => {
    if (lists.get(status)?.loading === 'loading') return
    const current = generation
    lists.set(status, { loading: 'loading' })
    onChange()
    const asked = summaries.removals()
    try {
      const answer = await ask('room/list', { status })
      if (current !== generation) return
      // The oldest cursor is valid for all lists: a difference from it misses nothing.
      cursor ??= answer.cursor
      if (changedWhileLoading) void catchUp()
      changedWhileLoading = false
      summaries.load(answer.data, asked)
      lists.set(status, { loading: 'ready' })
    } catch (error) {
      if (current !== generation) return
      lists.set(status, { loading: 'failed', error: messageOf(error) })
    }
    summaries.listChanged()
  }

  /** Loads what has changed in the lists. Called while it runs, it runs once more afterwards. */
  const catchUp = (): Promise<void> => {
    if (catchingUp) {
      catchingUp.again = true
      return catchingUp.promise
    }
    const job = { again: false, promise: Promise.resolve() }
    catchingUp = job
    job.promise = (async () => {
      const current = generation
      try {
        do {
          job.again = false
          for (const [status, list] of lists) if (list.loading === 'failed') await load(status)
          // The first list may be older than the change, and asked for before this ran (sendEarly): catch up when it is here.
          if (!cursor) return void (changedWhileLoading = true)
          const asked = summaries.removals()
          const answer = await ask('room/list', { since: cursor })
          if (current !== generation) return
          cursor = answer.cursor
          for (const room of answer.data) summaries.put(room, asked)
        } while (job.again)
      } catch {
        // The next connection, the next time the page is visible or the next event asks again.
      } finally {
        if (catchingUp === job) catchingUp = undefined
      }
    })()
    return job.promise
  }

  return {
    load,
    catchUp,
    state: (status: ListStatus) => lists.get(status),
    clear: () => {
      generation++
      lists.clear()
      cursor = undefined
      changedWhileLoading = false
      catchingUp = undefined
    },
  }
}
