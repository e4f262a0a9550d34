import type { RoomSummary } from '@tallyroom/contract/events'
import { linkOptions } from '@tanstack/react-router'
import { rooms } from '../../../chat/model/chat-session.ts'
import { shownRooms } from '../state/filter.ts'
import { neighbour } from '../state/neighbour.ts'

export const linkTo = (room: RoomSummary) =>
  linkOptions({
    to: '/chat/messaging/$room_id/$member_id/$room_code',
    params: { room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code },
  })

/** The room after this one in the visible list; undefined when it is the only one. */
export const nextOf = (room: RoomSummary) => {
  const next = neighbour(shownRooms() ?? rooms.list(1), String(room.room_id), 1)
  return next && linkTo(next)
}
