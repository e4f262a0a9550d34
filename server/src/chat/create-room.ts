import { one, sql, type Tx } from '../data/sql.ts'
import { randomBytes } from 'node:crypto'

/** With the bot where the head of the group wants it so, and may. */
export const initialStatus = sql`case when g.ai_rooms = 1 and g.chat_ai_bot_visible = 1 then 3 else 1 end`

/** Every member has one room with its group from the start. The code is a name of 128 random bits, not a right. */
export const createRoom = (db: Tx, member: { id: number; topId: number; groupId: number }) =>
  one<{ id: number; code: string }>(
    db,
    sql`insert into rooms (top_id, code, group_id, partner_id, status)
      select ${member.topId}::int, ${randomBytes(16).toString('base64url')}::text, g.id, ${member.id}::int, ${initialStatus}
      from accounts g where g.id = ${member.groupId} returning id, code`,
  )
