import type { Call } from '../../../api/call.ts'
import { makeEmitter } from '../emitter.ts'
import { makeOpenRooms } from './open-rooms.ts'
import type { RoomHooks } from './room-hooks.ts'
import { makeRoomLists } from './room-lists.ts'
import type { RoomRef } from './room-ref.ts'
import { makeOlder, makeRoomSync } from './room-sync.ts'
import { makeSummaries } from './summaries.ts'

/**
 * The store of one account's rooms. Its data comes from calls (`ask`) and from socket events (`receive…`). `list` is the
 * topic of the lists, a room's code that of the room.
 */
export const makeRooms = (ask: Call, hooks: RoomHooks = {}) => {
  const { emit, subscribe } = makeEmitter()
  const listsChanged = () => emit('list')
  const summaries = makeSummaries(listsChanged)
  const lists = makeRoomLists(ask, summaries, listsChanged)
  const open = makeOpenRooms(({ code, state }) => {
    if (state) hooks.onMessages?.(code, state.messages)
    emit(code)
  })
  const { catchUp } = lists
  const { enter, sync, reconnected, clear, ...live } = makeRoomSync({ ask, hooks, open, summaries, catchUp })

  const resolveCode = (ref: RoomRef): string | undefined => ref.code ?? summaries.find(ref)?.code

  /** Opens a room and loads it if needed. @returns its code, which may be unknown until it is loaded */
  const openRoom = async (ref: RoomRef): Promise<string | undefined> => {
    const code = resolveCode(ref)
    if (code) {
      const known = open.touch(code)
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
    if (open.get(code)) return
    await enter(code, { code })
    // Forget the failure: opening the room loads it again.
    if (!open.isOpened(code) && open.get(code)?.loading === 'failed') open.delete(code)
  }

  return {
    ...live,
    subscribe,
    loadList: lists.load,
    listState: lists.state,
    catchUp,
    sync,
    older: makeOlder({ ask, hooks, open }),
    openRoom,
    fetchAhead,
    leaveRoom: open.leave,
    room: open.get,
    resolveCode,
    summary: summaries.of,
    /** It was in a list, and is another group's now. */
    wasRemoved: summaries.wasRemoved,
    list: summaries.list,
    counts: summaries.counts,
    waiting: summaries.waiting,
    unread: summaries.unread,
    uplineRoom: summaries.uplineRoom,
    markRead: summaries.markRead,
    receiveRead: summaries.receiveRead,
    receiveDelivered: summaries.receiveDelivered,
    /** Call it after every connection: loads the difference of the lists and of all loaded rooms. */
    reconnected: () => {
      void catchUp()
      reconnected()
    },
    /** Forgets everything, because another account may sign in. Pending answers are dropped. */
    clear: () => {
      for (const part of [summaries, open, lists, { clear }]) part.clear()
      listsChanged()
    },
  }
}
export type Rooms = ReturnType<typeof makeRooms>
