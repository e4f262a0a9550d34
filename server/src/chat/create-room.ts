import { Role, RoomStatus } from '@tallyroom/contract/codes'
import { randomBytes } from 'node:crypto'
import { type Db, many, type Sql, sql } from '../data/sql.ts'

export type NewRoom = { id: number; code: string; groupId: number; partnerId: number }

/**
 * Makes the rooms of pairs that have none, and returns the new ones. `pairs` selects at most `most` rows
 * `(group_id, partner_id)`. A member's room starts with the bot if the head of the group wants it and may have it. The
 * code is a random name of 128 bits, not a right.
 */
export const createRooms = (db: Db, pairs: Sql, most: number): Promise<NewRoom[]> => {
  const codes = Array.from({ length: most }, () => randomBytes(16).toString('base64url'))
  return many<NewRoom>(
    db,
    sql`insert into rooms (top_id, code, group_id, partner_id, status)
      select p.top_id, (${codes}::text[])[row_number() over ()], g.id, p.id,
        case when p.role_id = ${Role.member} and g.ai_rooms = 1 and g.chat_ai_bot_visible = 1
          then ${RoomStatus.ai}::int else ${RoomStatus.shown}::int end
      from (${pairs}) v (group_id, partner_id) join accounts g on g.id = v.group_id join accounts p on p.id = v.partner_id
      on conflict (group_id, partner_id) do nothing
      returning id, code, group_id as "groupId", partner_id as "partnerId"`,
  )
}

/** Makes a member's room with its group, which every member has from the start. */
export const createRoom = async (db: Db, member: { id: number; groupId: number }): Promise<NewRoom | undefined> =>
  (await createRooms(db, sql`select ${member.groupId}::int, ${member.id}::int`, 1))[0]
