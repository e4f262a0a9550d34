import type { RoomSummary } from '@tallyroom/contract/events'
import { useEffect, useMemo, useState } from 'react'
import { byTime } from '../../../chat/model/room-ref.ts'
import { getStored } from '../../../lib/storage.ts'
import { useHeldOrder } from './use-held-order.ts'

/** Filter and order of a list. The server applies the same filter (`desk/bulk`). */
export type Filter = { text: string; unread: boolean; waiting: boolean; mine: boolean }
const noFilter: Filter = { text: '', unread: false, waiting: false, mine: false }

export type View = 'all' | 'waiting' | 'unread' | 'mine'
const viewOf = ({ waiting, unread, mine }: Filter): View =>
  waiting ? 'waiting' : unread ? 'unread' : mine ? 'mine' : 'all'

export const ownId = () => Number(getStored('user_id') ?? 0)

export const matches = (room: RoomSummary, text: string) => {
  const wanted = text.trim().toLowerCase()
  return !wanted || room.name.toLowerCase().includes(wanted) || room.username.toLowerCase().includes(wanted)
}

export const matchesFilter = (room: RoomSummary, { text, unread, waiting, mine }: Filter) =>
  matches(room, text) &&
  (!unread || room.message_read === 0) &&
  (!waiting || room.waiting_since !== null) &&
  (!mine || room.owner_id === ownId())

/** Longest waiting first, then rooms that do not wait. */
export const byWaitingTime = (a: RoomSummary, b: RoomSummary) => {
  if (a.waiting_since && b.waiting_since && a.waiting_since !== b.waiting_since)
    return a.waiting_since < b.waiting_since ? -1 : 1
  if (!a.waiting_since === !b.waiting_since) return byTime(a, b)
  return a.waiting_since ? -1 : 1
}

let order: readonly RoomSummary[] | undefined
/** The rooms in the order of the visible list, for the keyboard shortcuts; undefined while no list is shown. */
export const shownRooms = () => order

/** The filter of a list that is not mounted: on a small screen a room replaces the list. */
const savedFilter = { filter: noFilter, longest: true }
export const clearSavedFilter = () => void Object.assign(savedFilter, { filter: noFilter, longest: true })

export const useFilter = (list: readonly RoomSummary[], from = { filter: noFilter, longest: false }) => {
  const [filter, setFilter] = useState(from.filter)
  const [longest, setLongest] = useState(from.longest)
  const wanted = useMemo(() => {
    const some = list.filter((room) => matchesFilter(room, filter))
    return longest ? some.sort(byWaitingTime) : some
  }, [list, filter, longest])
  const { drawn, gone, waiting, changes, hold, apply } = useHeldOrder(list, wanted, JSON.stringify({ filter, longest }))
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
    /** The rows that `Rows` renders, including rooms that left the list while its order is held. */
    rows: { rooms: drawn, gone, hold, ...(longest ? { waiting } : {}) },
    /** Number of rows that would be added, moved or removed if the order were not held. */
    changes,
    apply,
    longest,
    setLongest,
    /** One view at a time: all, or those that are unread, waiting or the user's own. */
    view: viewOf(filter),
    setView: (view: View) =>
      setFilter(({ text }) => ({ ...noFilter, text, ...(view === 'all' ? {} : { [view]: true }) })),
    change: (to: Partial<Filter>) => setFilter((now) => ({ ...now, ...to })),
    clear: () => setFilter(noFilter),
  }
}

/** Keeps a list's filter while the list is not shown. */
export const useSavedFilter = (list: readonly RoomSummary[]) => {
  const by = useFilter(list, savedFilter)
  const { filter, longest } = by
  useEffect(() => void Object.assign(savedFilter, { filter, longest }), [filter, longest])
  return by
}
