import { Role, type RoomStatus } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { unreadIn } from '@tallyroom/contract/unread'
import { type Actor, chatGroup, joinedRooms } from '../identity/actor.ts'
import { type Db, many, type Sql, sql, type Tx } from '../data/sql.ts'
import { ensure } from '../lib/refusal.ts'
import { lockRoomsBy } from './messages.ts'
import { roomColumns, type RoomRow, roomTables } from './room-row.ts'
import { asRoom, type Perspective, sideOf } from './room-views.ts'

/** A room with one account's read marks. */
export type RoomWithMarks = RoomRow & { readSeq: number; markedUnread: 0 | 1; markVersion: number }

export const roomsWithMarks = (db: Db, actor: Actor, condition: Sql) =>
  many<RoomWithMarks>(
    db,
    sql`select ${roomColumns}, coalesce(d.read_seq, 0) as "readSeq",
        coalesce(d.marked_unread, 0)::smallint as "markedUnread", coalesce(d.mark_version, 0) as "markVersion"
      from ${roomTables} left join room_reads d on d.room_id = r.id and d.account_id = ${actor.id}
      where ${condition}`,
  )

/** The actor's rooms that match. */
export const roomsOf = (db: Db, actor: Actor, condition: Sql) =>
  roomsWithMarks(db, actor, sql`${joinedRooms(actor)} and ${condition}`)

/**
 * The rooms of one list. For its group a room is in the list of its status; for its partner (a member, or an agent in
 * its own room with its upline's customer service) it is always shown, as in `asRoom`.
 */
export const inList = (actor: Actor, status: RoomStatus): Sql => {
  const ofGroup = sql`r.group_id = ${chatGroup(actor)} and r.status = ${status}`
  if (actor.role === Role.member) return sql`(r.partner_id = ${actor.id} and ${status}::int = 1)`
  return status === 1 ? sql`((${ofGroup}) or r.partner_id = ${actor.id})` : sql`(${ofGroup})`
}

/** The actor's rooms that have changed for the actor's side since a transaction id. */
export const changedSince = (actor: Actor, since: string): Sql => {
  const xid = sql`${since}::text::xid8`
  const own = sql`select id from rooms where partner_id = ${actor.id} and changed_xid >= ${xid}`
  if (actor.role === Role.member) return sql`r.id in (${own})`
  return sql`r.id in (${own}
    union all select id from rooms where group_id = ${chatGroup(actor)} and changed_xid >= ${xid}
    union all select id from rooms where group_id = ${chatGroup(actor)} and desk_xid >= ${xid} and partner_id <> ${actor.id}
    union all select room_id from room_reads where account_id = ${actor.id} and marked_xid >= ${xid})`
}

export const findRoom = async (db: Db, actor: Actor, condition: Sql): Promise<RoomWithMarks> =>
  ensure((await roomsOf(db, actor, condition))[0], 'room.not_found')

export const perspectiveOf = (actor: Actor, room: RoomRow): Perspective => ({
  side: sideOf(actor, room),
  viewer: actor,
})

export const asSummary = (room: RoomWithMarks, actor: Actor): RoomSummary => {
  const shown = { ...asRoom(room, perspectiveOf(actor, room)), read_seq: room.readSeq }
  return {
    ...shown,
    message_read: unreadIn(shown) === 0 && !room.markedUnread ? 1 : 0,
    marked_unread: room.markedUnread,
    mark_version: room.markVersion,
  }
}

/** The condition of `message_read` = 0 on the group's side; `d` is the actor's row of `room_reads`. */
export const isUnread = sql`((r.unanswered > 0 and r.last_seq > coalesce(d.read_seq, 0)) or d.marked_unread = 1)`

export const lockRoom = async (db: Tx, actor: Actor, code: string): Promise<RoomRow> => {
  const [room] = (await lockRoomsBy(db, sql`r.code = ${code} and ${joinedRooms(actor)}`)).values()
  return ensure(room, 'room.not_found')
}

/** A room on the group's side. Refused for the partner, also when the partner is an agent. */
export const findGroupRoom = async (db: Db, actor: Actor, code: string): Promise<RoomWithMarks> => {
  const room = await findRoom(db, actor, sql`r.code = ${code}`)
  return ensure(sideOf(actor, room) === 'group' ? room : undefined, 'room.not_found')
}
export const lockGroupRoom = async (db: Tx, actor: Actor, code: string): Promise<RoomRow> => {
  const room = await lockRoom(db, actor, code)
  return ensure(sideOf(actor, room) === 'group' ? room : undefined, 'room.not_found')
}
