import { locks } from '../../data/locks.ts'
import { type Database, one, sql } from '../../data/sql.ts'

const BATCH = 5000

/** As bodies and `event/list` have them. */
export const eventNumbers = (seq: bigint, memberSeq: bigint | null) => ({
  seq: Number(seq),
  member_seq: memberSeq === null ? null : Number(memberSeq),
})

/**
 * Numbers committed events and makes their deliveries: the events those of each platform and those of each account without a gap; false when another process is
 * at it. An event that was written after the commit of another gets a higher number: its id is higher, and a statement that sees it
 * sees the other one. An event that commits late gets a late number, so nobody waits for a transaction that runs long.
 * Numbers and counters change in one statement: killed at any point, it has done all of it or nothing.
 */
export const numberEvents = async (db: Database): Promise<boolean> => {
  if (!(await one(db, sql`select 1 as waits from webhooks where seq is null limit 1`))) return true
  for (;;) {
    const numbered = await numberBatch(db)
    if (numbered === undefined) return false
    if (numbered < BATCH) return true
  }
}

const numberBatch = (db: Database): Promise<number | undefined> =>
  db.transact(async (tx) => {
    const lock = await one<{ got: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${locks.eventNumbers}::bigint) as got`,
    )
    if (!lock?.got) return undefined
    // A statement of its own: it sees what the last holder of the lock has numbered.
    const done = await one<{ n: number }>(
      tx,
      sql`with fresh as materialized (select id, top_id, account_id from webhooks where seq is null order by id
            limit ${BATCH}::int for no key update),
          numbers as (insert into event_numbers as n (top_id, account_id, last)
            select * from (select top_id, 0 as account_id, count(*) as events from fresh group by 1
              union all select top_id, account_id, count(*) from fresh where account_id is not null group by 1, 2) c
            on conflict (top_id, account_id) do update set last = n.last + excluded.last
            returning top_id, account_id, last),
          places as (select id, top_id, account_id, row_number() over (partition by top_id order by id desc) - 1 as later,
            row_number() over (partition by top_id, account_id order by id desc) - 1 as member_later from fresh),
          done as (update webhooks w set seq = t.last - p.later, member_seq = m.last - p.member_later
            from places p join numbers t on t.top_id = p.top_id and t.account_id = 0
              left join numbers m on m.top_id = p.top_id and m.account_id = p.account_id
            where w.id = p.id returning w.*),
          -- What an older copy has delivered meanwhile is not sent again.
          made as (insert into webhook_deliveries (event_id, endpoint_id, top_id, account_id, seq, once)
            select w.id, e.id, w.top_id, w.account_id, w.seq, w.kind = 'ping' from done w
              join webhook_endpoints e on e.top_id = w.top_id and (w.endpoint_id is null or w.endpoint_id = e.id)
                and (w.kind = any(e.kinds) or w.kind in ('ping', 'erased'))
            where w.delivered_at is null)
        select count(*)::int as n from done`,
    )
    return done?.n ?? 0
  })
