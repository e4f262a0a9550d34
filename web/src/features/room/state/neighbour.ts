import type { RoomSummary } from '@tallyroom/contract/events'
import { byWaitingTime, ownId } from './filter.ts'

/** The room before or after the open one, in the list's order. */
export const neighbour = (
  list: readonly RoomSummary[],
  current: string | undefined,
  step: 1 | -1,
): RoomSummary | undefined => {
  const at = list.findIndex((room) => String(room.room_id) === current)
  const start = at < 0 && step < 0 ? 0 : at
  const room = list[(start + step + list.length) % list.length]
  return room && String(room.room_id) !== current ? room : undefined
}

/** Those of the waiting rooms whose member waits for this user, longest first: no colleague's, none that `isLeftOut`. */
export const waitingRooms = (
  waiting: readonly RoomSummary[],
  isLeftOut: (room: RoomSummary) => boolean,
): RoomSummary[] =>
  waiting.filter((room) => room.waiting_since !== null && !isLeftOut(room) && isOwnOrFree(room)).sort(byWaitingTime)

/** Rooms that this page has marked as done, and the server has not confirmed yet: they are not the next to answer. */
export const beingSettled = new Set<string>()

/** Whether this user should answer in a room. */
export const isOwnOrFree = ({ owner_id }: RoomSummary) => owner_id === null || owner_id === ownId()

/** The next two matching rooms in the list's order, wrapping around its end. */
export const nextTwo = (
  list: readonly RoomSummary[],
  code: string,
  fits: (room: RoomSummary) => boolean,
): RoomSummary[] => {
  const at = list.findIndex((room) => room.code === code)
  return [...list.slice(at + 1), ...list.slice(0, Math.max(0, at))].filter(fits).slice(0, 2)
}
