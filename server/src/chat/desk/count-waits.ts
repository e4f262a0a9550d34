import type { Logger } from 'pino'
import { locks } from '../../data/locks.ts'
import { type Database, many, one, run, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { repeat } from '../../lib/concurrency.ts'
import { countWaits } from './waits.ts'

const LOOK_MS = 2000
/** Rooms of one transaction. */
const BATCH = 500
/** How exactly the end of the time of those who are on is known. */
const NOTED_S = 30
/** Who is not seen for longer was not on meanwhile: the server was down. */
const MAX_GAP_MINUTES = 20

/**
 * DESK-09: counts waits beside the messages, so that sending one costs nothing more. It looks at the rooms that have
 * changed since the oldest transaction that ran when it last looked. Any number of copies may run it.
 */
export const countChanged = async (db: Database, zone: string): Promise<void> => {
  const mark = await one<{ from: string; next: string }>(
    db,
    // A restored database may number its transactions from the beginning.
    sql`select case when xid <= pg_snapshot_xmin(pg_current_snapshot()) then xid::text else '0' end as from,
      pg_snapshot_xmin(pg_current_snapshot())::text as next from desk_waits_mark`,
  )
  if (!mark) throw new Error('desk_waits_mark has no row: the migration that makes it has to run')
  const changed = await many<{ id: number }>(
    db,
    // Group by group, because the indexes by transaction begin with the group.
    sql`select r.id from accounts g join rooms r on r.group_id = g.id and r.changed_xid >= ${mark.from}::text::xid8
        where g.role_id <= ${is.agent}
      union select r.id from accounts g join rooms r on r.group_id = g.id and r.desk_xid >= ${mark.from}::text::xid8
        where g.role_id <= ${is.agent} order by id`,
  )
  // An idle installation writes nothing.
  if (changed.length === 0) return
  for (let at = 0; at < changed.length; at += BATCH) {
    const ids = changed.slice(at, at + BATCH).map(({ id }) => id)
    const isDone = await db.transact(async (tx) => {
      const lock = await one<{ got: boolean }>(
        tx,
        sql`select pg_try_advisory_xact_lock(${locks.deskWaits}::bigint) as got`,
      )
      if (lock?.got) await countWaits(tx, sql`r.id = any(${ids}::int[])`, zone)
      return lock?.got === true
    })
    // Another copy is at it. The mark stays, so nothing is left out.
    if (!isDone) return
  }
  await run(
    db,
    sql`update desk_waits_mark set xid = ${mark.next}::text::xid8
      where xid = ${mark.from}::text::xid8 or ${mark.from} = '0'`,
  )
}

/** Notes until when those who are on were seen, some seconds later. */
const noteSpells = async (db: Database): Promise<void> => {
  const noted = await many<{ isOver: boolean }>(
    db,
    sql`with seen as (select s.id, h.seen_at, h.seen_at <= s.until_at + make_interval(mins => ${MAX_GAP_MINUTES}) as is_same
        from desk_spells s join desk_heartbeats h on h.account_id = s.account_id
        where not s.is_over and h.seen_at > s.until_at + make_interval(secs => ${NOTED_S}) order by s.id for update of s skip locked)
      update desk_spells s set until_at = case when v.is_same then v.seen_at else s.until_at end, is_over = not v.is_same
      from seen v where s.id = v.id returning s.is_over as "isOver"`,
  )
  if (!noted.some(({ isOver }) => isOver)) return
  await run(
    db,
    sql`insert into desk_spells (top_id, group_id, account_id, started_at, until_at)
      select a.top_id, a.group_id, a.id, clock_timestamp(), clock_timestamp() from desk_people p join accounts a on a.id = p.account_id
      where p.is_here and p.state = 'on' and not exists (select from desk_spells s where s.account_id = a.id and not s.is_over)
      on conflict do nothing`,
  )
}

/** Looks every two seconds until it is stopped. */
export const startCountingWaits = (
  db: Database,
  settings: { timeZone: string },
  log: Pick<Logger, 'error'>,
): (() => Promise<void>) =>
  repeat({
    everyMs: LOOK_MS,
    work: async () => {
      await noteSpells(db)
      await countChanged(db, settings.timeZone)
    },
    onError: (error) => log.error({ err: error }, 'Could not count waits for the report of work; trying again'),
  })
