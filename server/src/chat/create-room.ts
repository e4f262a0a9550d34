import { one, sql, type Tx } from '../data/sql.ts'
import { randomBytes } from 'node:crypto'

/** Starts with the bot (3) if the group's agent or admin has chosen it and may, else shown (1). `g`: the group's account. */
export const initialStatus = sql`case when g.ai_rooms = 1 and g.chat_ai_bot_visible = 1 then 3 else 1 end`

/** Every member has one room with its group from the start. The code is a random name of 128 bits; knowing it grants nothing. */
export const createRoom = (db: Tx, member: { id: number; topId: number; groupId: number }) =>
  one<{ id: number; code: string }>(
    db,
    sql`insert into rooms (top_id, code, group_id, partner_id, status)
      select ${member.topId}::int, ${randomBytes(16).toString('base64url')}::text, g.id, ${member.id}::int, ${initialStatus}
      from accounts g where g.id = ${member.groupId} returning id, code`,
  )
