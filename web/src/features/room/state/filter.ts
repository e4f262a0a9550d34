import { RoomStatus } from '@tallyroom/contract/codes'
import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useEffect, useMemo, useState } from 'react'
import type { ListCounts } from '../../../chat/model/rooms/list-index.ts'
import { byTime } from '../../../chat/model/rooms/room-ref.ts'
import { getStored } from '../../../lib/storage.ts'
import { useSteadyOrder } from './use-steady-order.ts'

/** Filter and order of a list. The server applies the same filter (`desk/bulk`). */
export type Filter = {
  text: string
  unread: boolean
  waiting: boolean
  mine: boolean
  snoozed: boolean
  queue: boolean
}
export const noFilter: Filter = { text: '', unread: false, waiting: false, mine: false, snoozed: false, queue: false }

export type View = 'all' | 'waiting' | 'unread' | 'mine' | 'snoozed' | 'queue'
const viewOf = ({ waiting, unread, mine, snoozed, queue }: Filter): View =>
  queue ? 'queue' : waiting ? 'waiting' : unread ? 'unread' : mine ? 'mine' : snoozed ? 'snoozed' : 'all'

const filterOf = (view: View, text: string): Filter => ({
  ...noFilter,
  text,
  ...(view === 'all' ? {} : { [view]: true }),
})

export const ownId = () => Number(getStored('user_id') ?? 0)

const folded = new WeakMap<RoomSummary, readonly [name: string, username: string]>()
/** Kept, because 10,000 rooms are compared with every letter that is typed. */
export const foldedNames = (room: RoomSummary): readonly [name: string, username: string] => {
  const known = folded.get(room) ?? ([fold(room.name), fold(room.username)] as const)
  folded.set(room, known)
  return known
}

/**
 * The filter as a function of a room. Text and account are read once, not for each of 10,000 rooms. Snoozed rooms are in
 * their own view; a search finds them too, and those that are also hidden are among the hidden ones.
 */
export const filterBy = ({ text, unread, waiting, mine, snoozed, queue }: Filter) => {
  const own = ownId()
  const wanted = foldWanted(text)
  return (room: RoomSummary) =>
    (!wanted || foldedNames(room).some((name) => name.includes(wanted))) &&
    (room.snoozed_until === undefined ? !snoozed : snoozed || wanted !== '' || room.status !== RoomStatus.shown) &&
    (!unread || room.message_read === 0) &&
    (!queue || isQueued(room)) &&
    (!waiting || room.waiting_since !== null) &&
    (!mine || room.owner_id === own)
}

/** Whether the member waits and nobody has the room. */
const isQueued = (room: RoomSummary) => room.waiting_since !== null && room.owner_id === null

/** Whether a room's name or username contains the text. */
export const isNamed = (text: string) => filterBy({ ...noFilter, text })

/** How many rooms each view has. `counts`: those of the whole list, which need no pass over it. */
export const countViews = (
  list: readonly RoomSummary[],
  counts: ListCounts,
  text: string,
): Record<Exclude<View, 'queue'>, number> => {
  if (!text.trim()) {
    const { all, unread, waiting, snoozed, ownedBy } = counts
    return { all, unread, waiting, snoozed, mine: ownedBy(ownId()) }
  }
  const named = list.filter(isNamed(text))
  const count = (view: Partial<Filter>) => named.filter(filterBy({ ...noFilter, ...view })).length
  return {
    all: named.length,
    unread: count({ unread: true }),
    waiting: count({ waiting: true }),
    mine: count({ mine: true }),
    snoozed: count({ snoozed: true }),
  }
}

/** Longest waiting first, then rooms that do not wait. */
export const byWaitingTime = (a: RoomSummary, b: RoomSummary) => {
  if (a.waiting_since && b.waiting_since && a.waiting_since !== b.waiting_since)
    return a.waiting_since < b.waiting_since ? -1 : 1
  if (!a.waiting_since === !b.waiting_since) return byTime(a, b)
  return a.waiting_since ? -1 : 1
}

/** The order of `byWaitingTime` for rooms that are sorted by time: only those that wait are sorted again. */
const waitingFirst = (list: readonly RoomSummary[]) => [
  ...list.filter((room) => room.waiting_since !== null).sort(byWaitingTime),
  ...list.filter((room) => room.waiting_since === null),
]

let order: readonly RoomSummary[] | undefined
/** The rooms in the order of the visible list, for the keyboard shortcuts; undefined while no list is shown. */
export const shownRooms = () => order

/** The filter of a list that is not mounted: on a small screen a room replaces the list. */
const savedFilter = { filter: noFilter, longest: true }
/** The view of the next list that is mounted. */
export const saveView = (view: View) => void Object.assign(savedFilter, { filter: filterOf(view, '') })
export const clearSavedFilter = () => void Object.assign(savedFilter, { filter: noFilter, longest: true })

/** `open`: the room on the screen. A view keeps it after its answer, so that it does not vanish beside the conversation. */
export const useFilter = (list: readonly RoomSummary[], from = { filter: noFilter, longest: false }, open?: string) => {
  const [filter, setFilter] = useState(from.filter)
  const [longest, setLongest] = useState(from.longest)
  const wanted = useMemo(() => {
    const matches = filterBy(filter)
    const isKept = (room: RoomSummary) => String(room.room_id) === open && !filter.text.trim()
    const some = list.filter((room) => matches(room) || isKept(room))
    return longest ? waitingFirst(some) : some
  }, [list, filter, longest, open])
  const { drawn, gone, waiting, moves, handlers, apply } = useSteadyOrder(
    list,
    wanted,
    JSON.stringify({ filter, longest }),
  )
  const shown = useMemo(() => (gone.size > 0 ? drawn.filter(({ code }) => !gone.has(code)) : drawn), [drawn, gone])
  useEffect(() => {
    order = shown
    return () => {
      order = undefined
    }
  }, [shown])
  return {
    filter,
    /** Rooms in the order of their rows. */
    shown,
    /** The rows that `Rows` renders, including rooms that left the list while its order is kept. */
    rows: { rooms: drawn, gone, handlers, ...(longest ? { waiting } : {}) },
    /** Number of rows that would be added, moved or removed if the order were not kept. */
    moves,
    apply,
    longest,
    setLongest,
    /** One view at a time: all, or those that are unread, waiting, the user's own, snoozed, or nobody's. */
    view: viewOf(filter),
    setView: (view: View) => setFilter(({ text }) => filterOf(view, text)),
    update: (to: Partial<Filter>) => setFilter((now) => ({ ...now, ...to })),
    clear: () => setFilter(noFilter),
  }
}

/** Keeps a list's filter while the list is not shown. */
export const useSavedFilter = (list: readonly RoomSummary[], open?: string) => {
  const by = useFilter(list, savedFilter, open)
  const { filter, longest } = by
  useEffect(() => void Object.assign(savedFilter, { filter, longest }), [filter, longest])
  return by
}
