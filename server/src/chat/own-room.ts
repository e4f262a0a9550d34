import { RoomStatus } from '@tallyroom/contract/codes'
import { type Sql, sql } from '../data/sql.ts'
import { nearestSetting } from '../domain/nearest-setting.ts'
import type { RoomRow } from './room-row.ts'

export type Colleague = { id: number; username: string; nickname: string; isSub: 0 | 1 }

/** `assignedAt`: when the server gives it; null when a person does. */
export const setOwner =
  (owner: Colleague | undefined, assignedAt: Date | null = null) =>
  (room: RoomRow) => {
    room.assignedAt = assignedAt
    room.ownerId = owner?.id ?? null
    room.owner = owner ? [owner.username, owner.nickname, owner.isSub] : null
  }

/** The columns that follow from an owner, in an update of `rooms r` by a table `v` with `owner_id`. */
export const ownerColumns: Sql = {
  text: `owner_id = v.owner_id, last_owner_id = coalesce(v.owner_id, r.owner_id, r.last_owner_id)`,
  values: [],
}

/** Whether who answers owns a conversation of the group with this path: on unless the group has switched it off. */
export const isOwnedByAnswer = (groupPath: Sql): Sql =>
  // The first half spares nearly all installations the second.
  sql`(not exists (select from settings where owned_by_answer = 0)
    or coalesce(${nearestSetting(sql`s.owned_by_answer`, groupPath)}, 1) = 1)`

/**
 * DESK-11: a colleague who answers, gives points or acts on a request owns the conversation if nobody does. The room is
 * locked, and the caller stores it. An upline whose transfer is shown in the room is of another group.
 */
export const ownIfFree = (room: RoomRow, colleague: Colleague & { groupId: number }): void => {
  const isFree = room.ownerId === null && room.status !== RoomStatus.ai && room.isOwnedByAnswer === true
  // A member asks for points in its own room, and has the room's group too.
  const isColleague = room.groupId === colleague.groupId && room.partnerId !== colleague.id
  if (isFree && isColleague) setOwner(colleague)(room)
}
