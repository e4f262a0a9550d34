import { locks } from '../data/locks.ts'
import { APPLICATION, type Db, one, type Row, sql } from '../data/sql.ts'
import { joinUnderWay } from '../lib/under-way.ts'

/** Metrics from PostgreSQL's own statistics. */
export const statisticsHelp = {
  commit_wait_seconds: 'How long the first commit has waited for a standby to confirm it.',
  lock_wait_seconds: 'How long the first session has waited for a lock that another one holds.',
  idle_transaction_seconds: 'For how long the first transaction has been open and done nothing.',
  postgres_connections_taken: 'Connections that PostgreSQL has given to anybody.',
  postgres_connections_of_others: 'Those of other programs than this one.',
  postgres_connections_limit: 'Connections that PostgreSQL gives at most.',
  standbys_following: 'Servers that take the log of the primary. Absent while the role may not read all statistics.',
  slots_unread: 'Replication slots that nobody reads.',
  slot_kept_bytes: 'How much of the log the one of them keeps that keeps most.',
} as const

type Figures = { [name in keyof typeof statisticsHelp]: number | null }
export type Statistics = {
  figures: Figures
  /** How far the database's clock is behind ours, in seconds; undefined when the answer took too long to tell. */
  clockOffset: number | undefined
  /** The end of the log, and how far each follower has replayed it, in bytes; no follower while the role may not see. */
  wal: { end: bigint; replayed: bigint[] } | undefined
  /** Rows of each append-only table that were updated or deleted, less those that the database itself allowed. */
  touchedRows: TouchedRows[]
}
export type TouchedRows = { table: string; touched: number; allowed: number }

type Answer = Figures & { now: number; end: string | null; replayed: string[] | null; touchedRows: TouchedRows[] }

/** An answer that took longer says too little about the clock. */
const CLOCK_MS = 1000

/**
 * Reads no table of ours, so that it answers while one is locked. Without the rights of pg_read_all_stats the sessions of
 * other roles show neither their state nor what they wait for, and standbys show nothing.
 */
export const readStatistics = joinUnderWay(async (db: Db): Promise<Statistics> => {
  const before = Date.now()
  const answer = await one<Row & Answer>(db, statistics)
  const after = Date.now()
  if (!answer) throw new Error('the statistics have no row')
  const { now, end, replayed, touchedRows, ...figures } = answer
  return {
    figures,
    clockOffset: after - before < CLOCK_MS ? (before + after) / 2000 - now : undefined,
    wal: end === null ? undefined : { end: BigInt(end), replayed: (replayed ?? []).map(BigInt) },
    touchedRows,
  }
})

/** The time since a session's statement or its idling began. */
const waited = sql`extract(epoch from clock_timestamp() - state_change)`
const isOurs = sql`application_name in (${APPLICATION}, current_setting('application_name')) or starts_with(application_name, ${`${APPLICATION}-`})`

/**
 * A migration waits in turn for another one, and CREATE INDEX CONCURRENTLY for older transactions: neither is a trouble.
 * pg_basebackup follows the primary for a short time only.
 */
const statistics = sql`select sessions.*, connections.*, locked.*, followers.*, slots.*, changed.*,
    extract(epoch from clock_timestamp())::float8 as now,
    case when not pg_is_in_recovery() then (pg_current_wal_lsn() - '0/0')::text end as "end"
  from (select coalesce(max(${waited}) filter (where wait_event = 'SyncRep'), 0)::float8 as commit_wait_seconds,
        coalesce(max(${waited}) filter (where state like 'idle in transaction%'), 0)::float8 as idle_transaction_seconds
      from pg_stat_activity where datname = current_database()) sessions,
    (select count(*)::int as postgres_connections_taken,
        count(*) filter (where (datname = current_database() and (${isOurs})) is not true)::int as postgres_connections_of_others,
        (select sum(setting::int) filter (where name = 'max_connections') - sum(setting::int) filter (where name <> 'max_connections')
          from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections'))::int
          as postgres_connections_limit
      from pg_stat_activity where datid is not null and coalesce(backend_type, 'client backend') = 'client backend') connections,
    (select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)), 0)::float8 as lock_wait_seconds
      from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database() and l.locktype <> 'virtualxid'
        and not (l.locktype = 'advisory' and (l.classid::bigint << 32 | l.objid::bigint) = ${locks.migrations}::bigint)) locked,
    (select case when pg_has_role(current_user, 'pg_read_all_stats', 'usage') then count(*)::int end as standbys_following,
        array_agg((replay_lsn - '0/0')::text) filter (where replay_lsn is not null) as replayed
      from pg_stat_replication
      where state in ('streaming', 'catchup') and application_name <> 'pg_basebackup') followers,
    (select count(*)::int as slots_unread,
        coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8 as slot_kept_bytes
      from pg_replication_slots
      where not active and not temporary and (restart_lsn is not null or wal_status = 'lost')) slots,
    (select jsonb_agg(jsonb_build_object('table', c.relname,
          'touched', pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid),
          'allowed', coalesce(pg_sequence_last_value(to_regclass(format('public.%I', c.relname || '_allowed_changes'))), 0))) as "touchedRows"
      from pg_class c where exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where t.tgrelid = c.oid and p.proname = 'refuse_change')) changed`

/**
 * How far behind a server is that has replayed the log up to some position: since when the log has had more. The server's
 * own word is not enough: one that is cut off believes to have everything.
 */
export const makeLogTimes = () => {
  let samples: { at: number; end: bigint }[] = []
  return {
    note(end: bigint, at: number) {
      if (end !== samples.at(-1)?.end) samples.push({ at, end })
      if (samples.length > MAX_SAMPLES) samples = samples.filter((_, index) => index % 2 === 1)
    },
    secondsBehind(replayed: bigint, now: number): number {
      const first = samples.find(({ end }) => end > replayed)
      return first ? now - first.at : 0
    },
  }
}
const MAX_SAMPLES = 1000

/**
 * Counts rows of append-only tables that were updated or deleted past the program, since this process began. PostgreSQL
 * counts a row that is touched, the database's trigger those that it lets pass (erasing a person, deleting old entries).
 */
export const makeForbiddenCount = () => {
  const known = new Map<string, { touched: number; rest: number }>()
  return (touchedRows: TouchedRows[]): { table: string; more: number }[] =>
    touchedRows.map(({ table, touched, allowed }) => {
      const before = known.get(table)
      const rest = touched - allowed
      // The counts start again after a crash of PostgreSQL, and on another server after a failover.
      if (!before || touched < before.touched) {
        known.set(table, { touched, rest })
        return { table, more: 0 }
      }
      // The trigger's count may be ahead for some seconds, so the rest may become less and then grow to what it was.
      known.set(table, { touched, rest: Math.max(before.rest, rest) })
      return { table, more: Math.max(0, rest - before.rest) }
    })
}
