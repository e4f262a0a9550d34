import { LOAD_MINUTES } from '@tallyroom/contract/desk/load'
import { type Db, many, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'

type Load = {
  /** Rooms that wait for an answer. */
  waiting: number
  /** Those, and the ones whose last message is new (`isLoad` in contract/desk/load.ts). */
  load: number
}

/** The load of each colleague of a group, by account. Without a conversation it is missing. */
export const loadsOf = async (db: Db, groupId: number): Promise<Map<number, Load>> => {
  const rows = await many<Load & { ownerId: number }>(
    db,
    sql`select r.owner_id as "ownerId", count(r.waiting_since)::int as waiting, count(*)::int as load from rooms r
      where r.group_id = ${groupId} and r.status = ${is.shown} and r.owner_id is not null and r.snoozed_until is null
        and (r.waiting_since is not null or r.last_message_at > now() - make_interval(mins => ${LOAD_MINUTES}))
      group by r.owner_id`,
  )
  return new Map(rows.map(({ ownerId, ...load }) => [ownerId, load]))
}
