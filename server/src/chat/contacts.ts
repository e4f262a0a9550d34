import { Role } from '@tallyroom/contract/codes'
import type { Actor } from '../identity/actor.ts'
import { type Db, type Sql, sql } from '../data/sql.ts'
import { createRooms } from './create-room.ts'
import { is } from '../domain/is.ts'

/**
 * The contacts of an actor's group, as a condition on the alias `a`: its members, and the agents directly below it, for
 * whom it is the customer service.
 */
export const contactsOf = (actor: Actor): Sql =>
  sql`((a.role_id = ${is.member} and a.group_id = ${actor.groupId}) or (a.role_id = ${is.agent} and a.parent_id = ${actor.groupId}))`

/** The upline whose customer service serves an agent, as a condition on the alias `a`. */
export const uplineOf = (actor: Actor): Sql =>
  actor.role === Role.agent ? sql`(a.id = ${actor.parentId} and a.role_id <= ${is.agent})` : sql`false`

/** The room with an account, as a condition on the alias `r`: the group's room, or the agent's own with its upline. */
export const roomWith = (actor: Actor, friendId: number): Sql => {
  if (actor.role === Role.member) return sql`r.partner_id = ${friendId}`
  const withGroup = sql`(r.group_id = ${actor.groupId} and r.partner_id = ${friendId})`
  return actor.role === Role.agent
    ? sql`(${withGroup} or (r.group_id = ${friendId} and r.partner_id = ${actor.id}))`
    : withGroup
}

/** Makes the room with a contact if there is none: a group and a partner have one room. */
export const createRoomWith = async (db: Db, actor: Actor, friendId: number): Promise<void> => {
  if (actor.role === Role.member) return
  const pair = sql`select ${actor.groupId}::int, a.id from accounts a where a.id = ${friendId} and ${contactsOf(actor)}
    union all
    select a.id, ${actor.id}::int from accounts a where a.id = ${friendId} and ${uplineOf(actor)}`
  await createRooms(db, pair, 1)
}
