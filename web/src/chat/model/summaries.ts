import { byTime, isUplineRoom, refersTo, type RoomRef } from './room-ref.ts'
import { changedSummary, newerSummary, withRead } from './room-state.ts'
import type { events, RoomChange, RoomSummary } from '@tallyroom/contract/events'
import type { output as Infer } from 'zod'

/** A status whose rooms the browser lists: 1 shown, 2 hidden, 3 AI (`RoomStatus`). */
export type ListStatus = 1 | 2 | 3
type Read = Infer<typeof events.read>
type Mark = Pick<RoomSummary, 'marked_unread' | 'mark_version'>

/** The summaries of all known rooms, open or not. `changed` is called after each change. */
export const makeSummaries = (changed: () => void) => {
  const all = new Map<string, RoomSummary>()
  const views = new Map<ListStatus, readonly RoomSummary[]>()

  const listChanged = () => {
    views.clear()
    changed()
  }
  const replace = (known: RoomSummary | undefined, next: RoomSummary) => {
    if (next === known) return
    all.set(next.code, next)
    listChanged()
  }

  /** Marks a room as read up to `seq`. Without `mark` this also removes an unread mark. */
  const markRead = (code: string, seq: number, mark?: Mark) => {
    const known = all.get(code)
    if (!known) return
    const newest = mark && mark.mark_version > known.mark_version ? mark : known
    replace(known, withRead(known, seq, mark ? newest : { marked_unread: 0, mark_version: known.mark_version }))
  }

  return {
    listChanged,
    of: (code: string) => all.get(code),
    find: (ref: RoomRef) => [...all.values()].find((room) => refersTo(room, ref)),
    /** An agent's own room with its upline's customer service. */
    uplineRoom: () => [...all.values()].find(isUplineRoom),
    put: (room: RoomSummary) => replace(all.get(room.code), newerSummary(all.get(room.code), room)),
    /** Adds many at once; the caller must call `listChanged` afterwards. */
    load: (rooms: readonly RoomSummary[]) => {
      for (const room of rooms) all.set(room.code, newerSummary(all.get(room.code), room))
    },
    /** @returns false when nothing was new */
    change: (known: RoomSummary, change: { room: RoomChange['room'] }) => {
      const next = changedSummary(known, change)
      replace(known, next)
      return next !== known
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
    unread: () => [...all.values()].filter((room) => room.message_read === 0),
    /** The rooms of a status, newest message first. Returns the same array until something changes. */
    list: (status: ListStatus): readonly RoomSummary[] => {
      const known = views.get(status)
      if (known) return known
      const view = [...all.values()].filter((room) => room.status === status && !isUplineRoom(room)).sort(byTime)
      views.set(status, view)
      return view
    },
    clear: () => {
      all.clear()
      views.clear()
    },
  }
}
