import { type Database, run, sql } from '../../server/src/data/sql.ts'
import { makePeople, type Made, type Parent } from '../lib/people.ts'

export const ROOMS = 10_000
export const MESSAGES = 100_000
/** Messages in every room but the long one. */
const FEW = 3

/** A group with many rooms; the first of the list has a long conversation. */
export const load = async (db: Database, top: Parent): Promise<Made> => {
  const members = await makePeople(db, { role: 4, under: [top], each: ROOMS, prefix: 'm' })
  const long = members[0]
  if (!long) throw new Error('makePeople made no members: check ROOMS')
  await messages(db, { of: [long.id], each: MESSAGES, ago: 0 })
  await messages(db, { of: members.slice(1).map(({ id }) => id), each: FEW, ago: 60 })
  await run(
    db,
    sql`update rooms r set version = m.seq, last_seq = m.seq, last_message_type = m.type, last_message_content = left(m.content, 120),
        last_message_at = m.created_at, group_read_seq = m.seq - r.id % 2, partner_read_seq = m.seq,
        desk_version = m.seq, unanswered = r.id % 2, waiting_since = case when m.from_partner then m.created_at end
      from messages m where m.room_id = r.id and m.seq = (select max(seq) from messages where room_id = r.id)`,
  )
  await run(
    db,
    sql`insert into room_reads (room_id, account_id, read_seq) select id, group_id, group_read_seq from rooms where last_seq > 0`,
  )
  // Autovacuum would collect these statistics.
  for (const table of ['messages', 'rooms', 'room_reads']) await db.query(`vacuum analyze ${table}`, [])
  return long
}

type Talk = { of: number[]; each: number; ago: number }
/** A text of one or several lines every half minute, from the member or the group; the last one at least `ago` seconds ago. */
const messages = (db: Database, { of, each, ago }: Talk) =>
  run(
    db,
    sql`insert into messages (room_id, seq, top_id, message_id, version, type, content, sender_id, from_partner, created_at, group_id)
      select r.id, n, r.top_id, gen_random_uuid(), n, 1,
        'message ' || n || repeat(' of some length', (n * 7919 % 23) / 4), case when n % 5 < 3 then r.partner_id else r.group_id end,
        n % 5 < 3, now() - make_interval(secs => (${each}::int - n) * 30.0 + ${ago}::int + r.id % 3600), r.group_id
      from rooms r cross join generate_series(1, ${each}::int) n where r.partner_id = any(${of}::int[])`,
  )
