import type { RoomSummary } from '@tallyroom/contract/events'
import { useEffect, useMemo, useState } from 'react'
import { byTime } from '../../../chat/model/room-ref.ts'
import { getStored } from '../../../lib/storage.ts'
import { useHeldOrder } from './use-held-order.ts'

/** What of a list is shown, and in which order. The server knows the same filter (`desk/bulk`). */
export type Filter = { text: string; unread: boolean; waiting: boolean; mine: boolean }
const nothing: Filter = { text: '', unread: false, waiting: false, mine: false }

export const ownId = () => Number(getStored('user_id') ?? 0)

export const matches = (room: RoomSummary, text: string) => {
  const wanted = text.trim().toLowerCase()
  return !wanted || room.name.toLowerCase().includes(wanted) || room.username.toLowerCase().includes(wanted)
}

export const fits = (room: RoomSummary, { text, unread, waiting, mine }: Filter) =>
  matches(room, text) &&
  (!unread || room.message_read === 0) &&
  (!waiting || room.waiting_since !== null) &&
  (!mine || room.owner_id === ownId())

/** Who waits the longest first, then those who do not wait. */
export const byWait = (a: RoomSummary, b: RoomSummary) => {
  if (a.waiting_since && b.waiting_since && a.waiting_since !== b.waiting_since)
    return a.waiting_since < b.waiting_since ? -1 : 1
  if (!a.waiting_since === !b.waiting_since) return byTime(a, b)
  return a.waiting_since ? -1 : 1
}

let order: readonly RoomSummary[] | undefined
/** The list as it is shown, for keys that go through it. */
export const orderOfList = () => order

/** As the list of talks was left: on a small screen it makes place for a room, and comes back. */
const asLeft = { filter: nothing, longest: false }
export const forgetFilter = () => void Object.assign(asLeft, { filter: nothing, longest: false })

export const useFilter = (list: readonly RoomSummary[], from = { filter: nothing, longest: false }) => {
  const [filter, setFilter] = useState(from.filter)
  const [longest, setLongest] = useState(from.longest)
  const wanted = useMemo(() => {
    const some = list.filter((room) => fits(room, filter))
    return longest ? some.sort(byWait) : some
  }, [list, filter, longest])
  const { drawn, gone, changes, hold, apply } = useHeldOrder(list, wanted, JSON.stringify({ filter, longest }))
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
    /** The rows, also those of rooms that have left the list while its order is held: what `Rows` draws. */
    rows: { rooms: drawn, gone, hold },
    /** How many rows would come, move or go, if the order were not held. */
    changes,
    apply,
    longest,
    setLongest,
    change: (to: Partial<Filter>) => setFilter((now) => ({ ...now, ...to })),
    clear: () => setFilter(nothing),
  }
}

/** The filter of a list that is left and comes back. */
export const useKeptFilter = (list: readonly RoomSummary[]) => {
  const by = useFilter(list, asLeft)
  const { filter, longest } = by
  useEffect(() => void Object.assign(asLeft, { filter, longest }), [filter, longest])
  return by
}
