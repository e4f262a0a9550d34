import type { RoomSummary } from '@tallyroom/contract/events'
import { currentRoomTheme } from '../../../chat/model/room-theme.ts'
import { limitsOf, waitOf } from '../../../chat/model/wait.ts'
import { serverNow } from '../../../lib/clock.ts'
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

/** A colleague who is away answers nobody: a wait past the group's limit is for all. */
const isOverdue = ({ waiting_since: since }: RoomSummary) =>
  since !== null && waitOf(serverNow() - Date.parse(since), limitsOf(currentRoomTheme())) === 'overdue'

/**
 * The rooms to answer next, longest waiting first: the user's own and free ones, and behind them those of colleagues that
 * are overdue. None that `isLeftOut`.
 */
export const waitingRooms = (
  waiting: readonly RoomSummary[],
  isLeftOut: (room: RoomSummary) => boolean,
): RoomSummary[] => {
  const all = waiting.filter((room) => room.waiting_since !== null && !isLeftOut(room)).sort(byWaitingTime)
  return [...all.filter(isOwnOrFree), ...all.filter((room) => !isOwnOrFree(room) && isOverdue(room))]
}

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
