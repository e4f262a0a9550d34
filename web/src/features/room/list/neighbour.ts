import type { RoomSummary } from '@tallyroom/contract/events'

/** The room before or after the open one, in the list's order. */
export const neighbour = (
  list: readonly RoomSummary[],
  current: string | undefined,
  step: 1 | -1,
  fits: (room: RoomSummary) => boolean = () => true,
): RoomSummary | undefined => {
  const at = list.findIndex((room) => String(room.room_id) === current)
  const start = at < 0 && step < 0 ? 0 : at
  for (let n = 1; n <= list.length; n++) {
    const room = list[(start + step * n + list.length * 2) % list.length]
    if (room && String(room.room_id) !== current && fits(room)) return room
  }
  return undefined
}

/** The next two matching rooms in the list's order, wrapping around its end. */
export const nextTwo = (
  list: readonly RoomSummary[],
  code: string,
  fits: (room: RoomSummary) => boolean,
): RoomSummary[] => {
  const at = list.findIndex((room) => room.code === code)
  return [...list.slice(at + 1), ...list.slice(0, Math.max(0, at))].filter(fits).slice(0, 2)
}
