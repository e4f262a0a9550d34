import type { DeskChange, RoomChange } from '@tallyroom/contract/events'
import { type Call, refusedBy } from '../../../api/call.ts'
import { messageOf } from './loading.ts'
import type { OpenRooms } from './open-rooms.ts'
import type { RoomHooks } from './room-hooks.ts'
import { type RoomRef, withoutUndefined } from './room-ref.ts'
import { freshRoom, prependOlder } from './room-state.ts'
import type { Summaries } from './summaries.ts'

type Parts = {
  ask: Call
  hooks: RoomHooks
  open: OpenRooms
  summaries: Summaries
  /** Loads what has changed in the lists. */
  catchUp: () => Promise<void>
}

/** Keeps open rooms as the server has them: by events, and by asking for what they have missed. */
export const makeRoomSync = ({ ask, hooks, open, summaries, catchUp }: Parts) => {
  const pendingChanges = new Map<string, RoomChange[]>()
  const syncing = new Map<string, { promise: Promise<void>; again: boolean }>()

  /** Loads a room from the server, as if for the first time. */
  const enter = async (code: string, ref: RoomRef): Promise<void> => {
    const account = open.account()
    const known = open.get(code)
    open.set({ older: 'ready', ...known, code, loading: 'loading' })
    pendingChanges.set(code, [])
    try {
      const entered = await ask('room/enter', withoutUndefined(ref))
      if (account !== open.account()) return
      summaries.put(entered.room)
      const real = entered.room.code
      hooks.onAsides?.(real, entered.asides, entered.room.aside_seq)
      open.set({ code: real, loading: 'ready', older: 'ready', state: freshRoom(entered) })
      for (const change of pendingChanges.get(code) ?? []) if (open.apply(real, change) !== 'ok') void sync(real)
      open.trim(real)
    } catch (error) {
      if (account !== open.account()) return
      const isNotFound = refusedBy('room/enter', error, 'room.not_found')
      open.set({ older: 'ready', ...open.get(code), code, loading: 'failed', error: messageOf(error), isNotFound })
    } finally {
      pendingChanges.delete(code)
    }
  }

  /** Loads the difference of an open room. Called while it runs, it runs once more afterwards. */
  const sync = (code: string): Promise<void> => {
    const running = syncing.get(code)
    if (running) {
      running.again = true
      return running.promise
    }
    const job = { again: false, promise: Promise.resolve() }
    syncing.set(code, job)
    job.promise = (async () => {
      const account = open.account()
      try {
        do {
          job.again = false
          const state = open.get(code)?.state
          if (!state) return
          const change = await ask('room/sync', { code, version: state.version })
          if (account !== open.account()) return
          receiveSummary(change)
          const result = open.apply(code, change)
          if (result === 'reload') await enter(code, { code })
          else if (result === 'sync') job.again = true
        } while (job.again)
      } catch (error) {
        // Without an answer the next connection asks again.
        if (account === open.account() && refusedBy('room/sync', error, 'room.not_found')) forget(code)
      } finally {
        syncing.delete(code)
      }
    })()
    return job.promise
  }

  const receiveSummary = (change: RoomChange) => {
    const known = summaries.of(change.code)
    const news = change.messages.filter((message) => message.seq > (known?.last_seq ?? 0))
    // The room is not in the list yet, and only the list's difference has its read mark.
    if (!known) void catchUp()
    else if (!summaries.update(known, change)) return
    if (news.length) hooks.onNews?.(change.code, news)
  }

  /** The room is another group's now: nothing of it stays. Where it is open, the server says why it does not load. */
  const forget = (code: string) => {
    summaries.remove(code)
    if (open.delete(code)) void enter(code, { code })
  }

  return {
    enter,
    sync,
    receiveRoom: (change: RoomChange) => {
      receiveSummary(change)
      pendingChanges.get(change.code)?.push(change)
      const result = open.apply(change.code, change)
      if (result === 'sync') void sync(change.code)
      else if (result === 'reload') void enter(change.code, { code: change.code })
    },
    receiveDesk: (change: DeskChange) => {
      const known = summaries.of(change.code)
      if (known) summaries.update(known, change)
      else void catchUp()
      hooks.onAsides?.(change.code, change.asides)
    },
    receiveGone: ({ codes }: { codes: readonly string[] }) => codes.forEach(forget),
    /** Loads what all open rooms have missed. */
    reconnected: () => {
      for (const room of open.all()) {
        if (room.state) void sync(room.code)
        else if (room.loading === 'failed' && !room.code.startsWith('ref:')) void enter(room.code, { code: room.code })
      }
    },
    clear: () => {
      pendingChanges.clear()
      syncing.clear()
    },
  }
}

/** @returns a function that loads the page before an open room's messages */
export const makeOlder =
  ({ ask, hooks, open }: Pick<Parts, 'ask' | 'hooks' | 'open'>) =>
  async (code: string): Promise<void> => {
    const room = open.get(code)
    const first = room?.state?.messages[0]
    if (!room?.state?.hasMore || !first || room.older === 'loading') return
    const account = open.account()
    open.set({ ...room, older: 'loading' })
    try {
      const page = await ask('room/history', { code, before: first.seq, per_page: 30 })
      const now = open.get(code)
      if (account !== open.account() || !now?.state) return
      hooks.onAsides?.(code, page.asides)
      const same = now.state.messages[0]?.seq === first.seq
      open.set({ ...now, older: 'ready', state: same ? prependOlder(now.state, page) : now.state })
    } catch {
      const now = open.get(code)
      if (account === open.account() && now) open.set({ ...now, older: 'failed' })
    }
  }
