import { type ListStatus, makeListIndex } from './list-index.ts'
import { isUplineRoom, refersTo, type RoomRef } from './room-ref.ts'
import { changedSummary, newerSummary, withRead } from './room-state.ts'
import type { events, RoomChange, RoomSummary } from '@tallyroom/contract/events'
import type { output as Infer } from 'zod'

type Read = Infer<typeof events.read>
type Mark = Pick<RoomSummary, 'marked_unread' | 'mark_version'>

/** The summaries of all known rooms, open or not. `changed` is called after each change. */
export const makeSummaries = (changed: () => void) => {
  const all = new Map<string, RoomSummary>()
  const makeLists = () => ({ 1: makeListIndex(1), 2: makeListIndex(2), 3: makeListIndex(3) })
  let lists = makeLists()
  let upline: string | undefined
  /** When each room was removed, counted in removals. */
  const removed = new Map<string, number>()
  let removals = 0
  const isOutdated = (code: string, asked: number) => (removed.get(code) ?? 0) > asked

  const set = (known: RoomSummary | undefined, next: RoomSummary, many = false) => {
    all.set(next.code, next)
    if (isUplineRoom(next)) upline = next.code
    for (const list of Object.values(lists)) list.update(known, next, many)
  }
  const replace = (known: RoomSummary | undefined, next: RoomSummary) => {
    if (next === known) return
    set(known, next)
    changed()
  }

  /** Marks a room as read up to `seq`. Without `mark` this also removes an unread mark. */
  const markRead = (code: string, seq: number, mark?: Mark) => {
    const known = all.get(code)
    if (!known) return
    const newest = mark && mark.mark_version > known.mark_version ? mark : known
    replace(known, withRead(known, seq, mark ? newest : { marked_unread: 0, mark_version: known.mark_version }))
  }

  return {
    listChanged: changed,
    of: (code: string) => all.get(code),
    find: (ref: RoomRef): RoomSummary | undefined => {
      for (const room of all.values()) if (refersTo(room, ref)) return room
      return undefined
    },
    /** An agent's own room with its upline's customer service. */
    uplineRoom: () => (upline === undefined ? undefined : all.get(upline)),
    /** Taken before rooms are asked for: an answer from before a removal does not bring the room back. */
    removals: () => removals,
    wasRemoved: (code: string) => removed.has(code) && !all.has(code),
    put: (room: RoomSummary, asked = removals) => {
      if (!isOutdated(room.code, asked)) replace(all.get(room.code), newerSummary(all.get(room.code), room))
    },
    /** Adds many at once; the caller must call `listChanged` afterwards. */
    load: (rooms: readonly RoomSummary[], asked = removals) => {
      for (const room of rooms) {
        if (isOutdated(room.code, asked)) continue
        const known = all.get(room.code)
        const next = newerSummary(known, room)
        if (next !== known) set(known, next, true)
      }
    },
    /** @returns false when nothing was new */
    update: (known: RoomSummary, change: { room: RoomChange['room'] }) => {
      const next = changedSummary(known, change)
      replace(known, next)
      return next !== known
    },
    remove: (code: string) => {
      const known = all.get(code)
      removed.set(code, ++removals)
      if (!known) return
      all.delete(code)
      if (upline === code) upline = undefined
      for (const list of Object.values(lists)) list.update(known, undefined)
      changed()
    },
    markRead,
    /** An event without a mark comes from sending a message; if it is late, it must not remove a newer unread mark. */
    receiveRead: ({ code, read_seq, marked_unread, mark_version }: Read) => {
      if (marked_unread !== undefined && mark_version !== undefined)
        markRead(code, read_seq, { marked_unread, mark_version })
      else if (read_seq > (all.get(code)?.read_seq ?? 0)) markRead(code, read_seq)
    },
    receiveDelivered: (code: string, seq: number) => {
      const known = all.get(code)
      if (known && seq > known.other_delivered_seq) replace(known, { ...known, other_delivered_seq: seq })
    },
    unread: () => [...all.values()].filter((room) => room.message_read === 0 && room.snoozed_until === undefined),
    list: (status: ListStatus): readonly RoomSummary[] => lists[status].list(all.values()),
    counts: (status: ListStatus) => lists[status].counts(),
    waiting: (status: ListStatus) => lists[status].waiting(),
    clear: () => {
      all.clear()
      removed.clear()
      lists = makeLists()
      upline = undefined
    },
  }
}
export type Summaries = ReturnType<typeof makeSummaries>
