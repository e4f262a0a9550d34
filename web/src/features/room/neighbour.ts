import type { RoomSummary } from '@tallyroom/contract/events'

/** The room before or behind the one that is open, in the order in which the list shows them. */
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
