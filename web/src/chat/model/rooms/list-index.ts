import type { RoomSummary } from '@tallyroom/contract/events'
import { byTime, isUplineRoom } from './room-ref.ts'

/** A status whose rooms the browser lists: 1 shown, 2 hidden, 3 AI (`RoomStatus`). */
export type ListStatus = 1 | 2 | 3

/** Snoozed rooms are counted by themselves. */
export type ListCounts = {
  all: number
  unread: number
  waiting: number
  snoozed: number
  ownedBy: (account: number) => number
}

/** The room whose partner has waited longest. */
export const longestWait = (waiting: readonly RoomSummary[]): RoomSummary | undefined => {
  let longest: RoomSummary | undefined
  for (const room of waiting)
    if (room.waiting_since !== null && !(longest?.waiting_since && longest.waiting_since <= room.waiting_since))
      longest = room
  return longest
}

/** Index of the first room that is not before `room`. */
const indexOf = (sorted: readonly RoomSummary[], room: RoomSummary) => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (byTime(sorted[middle] as RoomSummary, room) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * One list, sorted and counted with each change. Sorting and counting all of 10,000 rooms for every message would take
 * several milliseconds of each.
 */
export const makeListIndex = (status: ListStatus) => {
  /** Undefined after a change that was not sorted in: the next reader sorts all. */
  let sorted: readonly RoomSummary[] | undefined
  let size = 0
  let unread = 0
  let snoozed = 0
  const waiting = new Map<string, RoomSummary>()
  const owned = new Map<number, number>()
  const belongs = (room: RoomSummary) => room.status === status && !isUplineRoom(room)

  const count = (room: RoomSummary, by: 1 | -1) => {
    if (room.snoozed_until !== undefined) {
      snoozed += by
      return
    }
    size += by
    if (room.message_read === 0) unread += by
    if (room.owner_id !== null) owned.set(room.owner_id, (owned.get(room.owner_id) ?? 0) + by)
  }

  return {
    /** Call it for every room that is added, replaced or removed (`after` is undefined). `many`: more follow, sort them all afterwards. */
    update: (before: RoomSummary | undefined, after: RoomSummary | undefined, many = false) => {
      const known = before && belongs(before) ? before : undefined
      const isListed = after !== undefined && belongs(after)
      if (!known && !isListed) return
      if (many) sorted = undefined
      if (known) {
        count(known, -1)
        waiting.delete(known.code)
        if (sorted) sorted = sorted.toSpliced(indexOf(sorted, known), 1)
      }
      if (isListed) {
        count(after, 1)
        if (after.waiting_since !== null && after.snoozed_until === undefined) waiting.set(after.code, after)
        if (sorted) sorted = sorted.toSpliced(indexOf(sorted, after), 0, after)
      }
    },
    /** Newest message first. Returns the same array until something changes. */
    list: (all: Iterable<RoomSummary>): readonly RoomSummary[] => (sorted ??= [...all].filter(belongs).sort(byTime)),
    counts: (): ListCounts => ({
      all: size,
      unread,
      waiting: waiting.size,
      snoozed,
      ownedBy: (account: number) => owned.get(account) ?? 0,
    }),
    /** Rooms whose partner waits, in no order; none that is snoozed. */
    waiting: (): readonly RoomSummary[] => [...waiting.values()],
  }
}
