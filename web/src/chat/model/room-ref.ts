import { RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'

/** A way into a room: its code, its number, or its partner. */
export type RoomRef = { code?: string | undefined; room_id?: number | undefined; friend_id?: number | undefined }

export const refersTo = (room: RoomSummary, door: RoomRef) =>
  door.room_id !== undefined ? room.room_id === door.room_id : room.friend_id === door.friend_id

/** An agent's own room with the customer service of its upline: it is in none of the lists of the agent's rooms. */
export const isUplines = (room: RoomSummary) => room.type === RoomType.upline

export const withoutUndefined = (door: RoomRef) =>
  Object.fromEntries(Object.entries(door).filter(([, value]) => value !== undefined)) as RoomRef

/** The last talk first. */
export const byTime = (a: RoomSummary, b: RoomSummary) => {
  const x = a.message_time ?? ''
  const y = b.message_time ?? ''
  return x === y ? b.room_id - a.room_id : x < y ? 1 : -1
}
