import { Role } from '@tallyroom/contract/codes'
import type { Actor } from '../identity/actor.ts'
import { type Db, type Sql, sql } from '../data/sql.ts'
import { createRooms } from './create-room.ts'

/**
 * The accounts with which an actor's group has or may have a room as the group, as a condition on the alias `a`: its
 * members, and the agents directly below it, whose customer service it is.
 */
export const contactsOf = (actor: Actor): Sql =>
  sql`((a.role_id = 4 and a.group_id = ${actor.groupId}) or (a.role_id = 2 and a.parent_id = ${actor.groupId}))`

/** The upline whose customer service an agent talks with, as a condition on the alias `a`. */
export const uplineOf = (actor: Actor): Sql =>
  actor.role === Role.agent ? sql`(a.id = ${actor.parentId} and a.role_id <= 2)` : sql`false`

/** The room with an account as the actor sees it, as a condition on the alias `r`: its group's, or its own with the upline. */
export const roomWith = (actor: Actor, friendId: number): Sql => {
  if (actor.role === Role.member) return sql`r.partner_id = ${friendId}`
  const withGroup = sql`(r.group_id = ${actor.groupId} and r.partner_id = ${friendId})`
  return actor.role === Role.agent
    ? sql`(${withGroup} or (r.group_id = ${friendId} and r.partner_id = ${actor.id}))`
    : withGroup
}

/** Makes the room with a contact when there is none. The same again makes nothing: a group and a partner have one room. */
export const createRoomWith = async (db: Db, actor: Actor, friendId: number): Promise<void> => {
  if (actor.role === Role.member) return
  const pair = sql`select ${actor.groupId}::int, a.id from accounts a where a.id = ${friendId} and ${contactsOf(actor)}
    union all
    select a.id, ${actor.id}::int from accounts a where a.id = ${friendId} and ${uplineOf(actor)}`
  await createRooms(db, pair, 1)
}
