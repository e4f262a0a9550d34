import { RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'

/** Identifies a room: by its code, its number, or its partner. */
export type RoomRef = { code?: string | undefined; room_id?: number | undefined; friend_id?: number | undefined }

export const refersTo = (room: RoomSummary, ref: RoomRef) =>
  ref.room_id !== undefined ? room.room_id === ref.room_id : room.friend_id === ref.friend_id

/** An agent's own room with its upline's customer service. It is in none of the agent's lists. */
export const isUplineRoom = (room: RoomSummary) => room.type === RoomType.upline

export const withoutUndefined = (ref: RoomRef) =>
  Object.fromEntries(Object.entries(ref).filter(([, value]) => value !== undefined)) as RoomRef

/** Sorts by the last message, newest first. */
export const byTime = (a: RoomSummary, b: RoomSummary) => {
  const x = a.message_time ?? ''
  const y = b.message_time ?? ''
  return x === y ? b.room_id - a.room_id : x < y ? 1 : -1
}
