import { type call, refusedBy } from '../../../api/call.ts'
import { makeEmitter } from '../emitter.ts'
import { type RoomRef, withoutUndefined } from './room-ref.ts'
import { applyChange, freshRoom, prependOlder, type RoomState } from './room-state.ts'
import type { ListStatus } from './list-index.ts'
import type { RoomHooks } from './room-hooks.ts'
import { makeSummaries } from './summaries.ts'
import type { DeskChange, RoomChange } from '@tallyroom/contract/events'

export type Call = typeof call
export type Loading = 'loading' | 'ready' | 'failed'
/** An open room: `state` is set once it has been loaded, also while it is loaded again. */
export type OpenRoom = {
  code: string
  loading: Loading
  error?: string
  /** Another try would fail too. */
  isNotFound?: boolean
  state?: RoomState
  older: Loading
}

/** Number of closed rooms that stay loaded: opening one again loads only the difference. */
const KEPT_ROOMS = 20
/** Number of messages that a closed room keeps; older ones are loaded again when needed. */
const KEPT_MESSAGES = 60

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The store of one account's rooms. Its data comes from calls (`ask`) and from socket events (`receive…`). */
export const makeRooms = (ask: Call, hooks: RoomHooks = {}) => {
  const open = new Map<string, OpenRoom>()
  const lists = new Map<ListStatus, { loading: Loading; error?: string }>()
  const pendingChanges = new Map<string, RoomChange[]>()
  const syncing = new Map<string, { promise: Promise<void>; again: boolean }>()
  const { emit, subscribe } = makeEmitter()
  const summaries = makeSummaries(() => emit('list'))
  let cursor: string | undefined
  let changedWhileLoading = false
  let catchingUp: { again: boolean; promise: Promise<void> } | undefined
  let generation = 0
  /** The room that was opened last: prefetching other rooms never unloads it. */
  let opened = ''

  const setOpen = (room: OpenRoom) => {
    open.set(room.code, room)
    if (room.state) hooks.onMessages?.(room.code, room.state.messages)
    emit(room.code)
  }

  /** Loads a list for the first time, or again after a failure. */
  const loadList = async (status: ListStatus): Promise<void> => {
    if (lists.get(status)?.loading === 'loading') return
    const current = generation
    lists.set(status, { loading: 'loading' })
    emit('list')
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
          for (const [status, list] of lists) if (list.loading === 'failed') await loadList(status)
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

  const apply = (code: string, change: RoomChange): 'ok' | 'sync' | 'reload' => {
    const room = open.get(code)
    if (!room?.state) return 'ok'
    const { outcome, state } = applyChange(room.state, change)
    if (outcome === 'gap') return 'sync'
    if (outcome === 'reset') return 'reload'
    if (outcome === 'applied') setOpen({ ...room, state })
    return 'ok'
  }

  const enter = async (code: string, ref: RoomRef): Promise<void> => {
    const current = generation
    const known = open.get(code)
    setOpen({ older: 'ready', ...known, code, loading: 'loading' })
    pendingChanges.set(code, [])
    try {
      const entered = await ask('room/enter', withoutUndefined(ref))
      if (current !== generation) return
      summaries.put(entered.room)
      const real = entered.room.code
      hooks.onAsides?.(real, entered.asides, entered.room.aside_seq)
      setOpen({ code: real, loading: 'ready', older: 'ready', state: freshRoom(entered) })
      for (const change of pendingChanges.get(code) ?? []) if (apply(real, change) !== 'ok') void sync(real)
      trim(real)
    } catch (error) {
      if (current !== generation) return
      const isNotFound = refusedBy('room/enter', error, 'room.not_found')
      setOpen({ older: 'ready', ...open.get(code), code, loading: 'failed', error: messageOf(error), isNotFound })
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
      const current = generation
      try {
        do {
          job.again = false
          const state = open.get(code)?.state
          if (!state) return
          const change = await ask('room/sync', { code, version: state.version })
          if (current !== generation) return
          receiveSummary(change)
          const result = apply(code, change)
          if (result === 'reload') await enter(code, { code })
          else if (result === 'sync') job.again = true
        } while (job.again)
      } catch (error) {
        // Without an answer the next connection asks again.
        if (current === generation && refusedBy('room/sync', error, 'room.not_found')) forget(code)
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
    else if (!summaries.change(known, change)) return
    if (news.length) hooks.onNews?.(change.code, news)
  }

  const receiveRoom = (change: RoomChange) => {
    receiveSummary(change)
    pendingChanges.get(change.code)?.push(change)
    const result = apply(change.code, change)
    if (result === 'sync') void sync(change.code)
    else if (result === 'reload') void enter(change.code, { code: change.code })
  }

  const receiveDesk = (change: DeskChange) => {
    const known = summaries.of(change.code)
    if (known) summaries.change(known, change)
    else void catchUp()
    hooks.onAsides?.(change.code, change.asides)
  }

  /** The room is another group's now: nothing of it stays. Where it is open, the server says why it does not load. */
  const forget = (code: string) => {
    summaries.remove(code)
    if (open.delete(code)) void enter(code, { code })
  }

  const resolveCode = (ref: RoomRef): string | undefined => ref.code ?? summaries.find(ref)?.code

  /** Opens a room and loads it if needed. @returns its code, which may be unknown until it is loaded */
  const openRoom = async (ref: RoomRef): Promise<string | undefined> => {
    const code = resolveCode(ref)
    if (code) {
      opened = code
      const known = open.get(code)
      if (known) {
        // The room opened last is the last to be unloaded (Map keeps insertion order).
        open.delete(code)
        open.set(code, known)
      }
      if (known?.state) await sync(code)
      else if (known?.loading !== 'loading') await enter(code, { code })
      return code
    }
    const temporary = `ref:${ref.room_id ?? ''}:${ref.friend_id ?? ''}`
    await enter(temporary, ref)
    const failed = open.get(temporary)
    open.delete(temporary)
    if (failed?.loading === 'failed') throw new Error(failed.error)
    return resolveCode(ref)
  }
  /** Prefetches a room that is probably opened next. It stays unread; opening it loads what came since. */
  const fetchAhead = async (code: string): Promise<void> => {
    if (open.has(code)) return
    await enter(code, { code })
    // Forget the failure: opening the room loads it again.
    if (code !== opened && open.get(code)?.loading === 'failed') open.delete(code)
  }

  const older = async (code: string): Promise<void> => {
    const room = open.get(code)
    const first = room?.state?.messages[0]
    if (!room?.state?.hasMore || !first || room.older === 'loading') return
    const current = generation
    setOpen({ ...room, older: 'loading' })
    try {
      const page = await ask('room/history', { code, before: first.seq, per_page: 30 })
      const now = open.get(code)
      if (current !== generation || !now?.state) return
      hooks.onAsides?.(code, page.asides)
      const same = now.state.messages[0]?.seq === first.seq
      setOpen({ ...now, older: 'ready', state: same ? prependOlder(now.state, page) : now.state })
    } catch {
      const now = open.get(code)
      if (current === generation && now) setOpen({ ...now, older: 'failed' })
    }
  }

  const trim = (current: string) => {
    for (const code of open.keys()) if (open.size > KEPT_ROOMS && code !== current && code !== opened) open.delete(code)
  }
  const leaveRoom = (code: string) => {
    const room = open.get(code)
    if (!room?.state || room.state.messages.length <= KEPT_MESSAGES) return
    const messages = room.state.messages.slice(-KEPT_MESSAGES)
    open.set(code, { ...room, state: { ...room.state, messages, hasMore: true, olderUpdates: new Map() } })
  }

  return {
    subscribe,
    loadList,
    catchUp,
    openRoom,
    fetchAhead,
    leaveRoom,
    sync,
    older,
    receiveRoom,
    receiveDesk,
    receiveGone: ({ codes }: { codes: readonly string[] }) => codes.forEach(forget),
    markRead: summaries.markRead,
    receiveRead: summaries.receiveRead,
    receiveDelivered: summaries.receiveDelivered,
    unread: summaries.unread,
    /** Call it after every connection: loads the difference of the lists and of all loaded rooms. */
    reconnected: () => {
      void catchUp()
      for (const [code, room] of open) {
        if (room.state) void sync(code)
        else if (room.loading === 'failed' && !code.startsWith('ref:')) void enter(code, { code })
      }
    },
    room: (code: string): OpenRoom | undefined => open.get(code),
    summary: summaries.of,
    /** It was in a list, and is another group's now. */
    wasRemoved: summaries.wasRemoved,
    resolveCode,
    listState: (status: ListStatus) => lists.get(status),
    list: summaries.list,
    counts: summaries.counts,
    waiting: summaries.waiting,
    uplineRoom: summaries.uplineRoom,
    /** Forgets everything, because another account may sign in. Pending answers are dropped. */
    clear: () => {
      generation++
      for (const map of [summaries, open, lists, pendingChanges, syncing]) map.clear()
      cursor = undefined
      changedWhileLoading = false
      catchingUp = undefined
      emit('list')
    },
  }
}
export type Rooms = ReturnType<typeof makeRooms>
