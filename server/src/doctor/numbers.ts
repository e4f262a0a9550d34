import { stat, statfs } from 'node:fs/promises'
import type { Settings } from '../config/settings.ts'
import { lastBackup, lastDrill } from './last-backup.ts'
import type { Replicas } from '../data/replicas.ts'
import { requestSeconds } from '../data/request-parts.ts'
import { type Database, one, type Row, sql } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { isSandbox } from '../domain/sandboxes.ts'
import { withTimeout } from '../lib/concurrency.ts'
import { joinUnderWay } from '../lib/under-way.ts'

/** Measures of the whole installation, for the metrics (http/metrics.ts) and for the page of admins. */
export const numberHelp = {
  waiting_members: 'Rooms whose member waits for an answer.',
  longest_wait_seconds: 'How long the first of them has waited.',
  open_requests: 'Requests for points that are asked or taken.',
  open_envelopes: 'Envelopes that wait for their answer.',
  webhooks_due: 'Webhooks that are not delivered yet.',
  webhook_oldest_seconds: 'How old the first of them is.',
  webhooks_refused: 'Those of them that the platform has not taken at the first try, and that were tried again.',
  pushes_failing: 'Notifications that a push service has not taken at the first try.',
  request_parts_ahead_seconds:
    'From now on the table of requests has parts without a gap for so long: below ten days nobody makes them.',
  ledger_uneven_tops: 'Top accounts below which the wallets do not sum to 0: must be 0.',
  ledger_low_wallets: 'Wallets below their floor: must be 0.',
  seal_age_seconds: 'Since all postings were last found sealed. Absent with SEAL_LEDGER=0.',
  database_size_bytes: 'Size of the database.',
  database_growth_bytes: 'By how much it has grown per day in the last 30 days. Absent on the first day.',
  standby_lag_seconds: 'How far the standby that is furthest behind is behind. Absent while none is known.',
  standbys_away: 'Standbys that do not answer. Absent without DATABASE_READ_URL.',
  backup_age_seconds: 'Since the last backup ended. Absent if there was none.',
  backup_drill_age_seconds: 'Since a backup was last restored and checked. Absent if none was.',
  archive_age_seconds: 'Since the WAL archive last got a file.',
  disk_free_bytes: 'Free on the disk of DATA_DIR.',
  disk_size_bytes: 'Size of the disk of DATA_DIR.',
} as const
export type Numbers = { [name in keyof typeof numberHelp]?: number | null | undefined }

export type NumberSources = {
  db: Database
  replicas: Pick<Replicas, 'lags'> | undefined
  settings: Pick<Settings, 'dataDir' | 'walArchive' | 'sealsLedger'>
}

/** Reading the database may take this long. */
export const DATABASE_MS = 2000

/**
 * `database` is undefined when the database has not answered in time. `replayed`: up to where each server of
 * DATABASE_READ_URL has the log, in bytes.
 */
type AllNumbers = { database: Numbers | undefined; files: Numbers; replayed: bigint[] }
export const readNumbers = async (sources: NumberSources): Promise<AllNumbers> => {
  const [read, standbys, files] = await Promise.all([
    withTimeout(readDatabase(sources.db), DATABASE_MS).catch(() => undefined),
    readStandbys(sources),
    readFiles(sources.settings),
  ])
  const database = read && (sources.settings.sealsLedger ? read : { ...read, seal_age_seconds: undefined })
  return { database, files: { ...standbys.numbers, ...files }, replayed: standbys.replayed }
}

/** Sandboxes are in none of the figures but those of the ledger, whose rules hold there too. */
const isLive = sql`not ${isSandbox(sql`top_id`)}`

/** A query that hangs, because a table is locked, is joined: each look would take one connection more. */
const readDatabase = joinUnderWay(async (db: Database): Promise<Numbers> => {
  const seconds = (since: string) => ({ text: `extract(epoch from clock_timestamp() - ${since})::float8`, values: [] })
  const row = await one<Row & Numbers>(
    db,
    sql`select w.*, h.*, e.*, c.*, l.*, p.*, n.*, s.*,
        (select ${seconds('whole_at')} from seal_state) as seal_age_seconds from
      (select count(*)::int as waiting_members, coalesce(${seconds('min(waiting_since)')}, 0) as longest_wait_seconds
        from rooms where waiting_since is not null and ${isLive}) w,
      (select count(*)::int as webhooks_due,
        count(*) filter (where d.tries > 1 and d.answer <> '')::int as webhooks_refused, coalesce(${seconds('min(d.waits_since)')}, 0) as webhook_oldest_seconds
        from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id and e.state = 'on' and e.url <> ''
        where d.due_at is not null and not ${isSandbox(sql`e.top_id`)}) h,
      (select count(*)::int as open_envelopes from envelopes
        where status = ${is.pending} and type <> ${is.cashHold} and ${isLive}) e,
      (select count(*)::int as open_requests from cash_requests where state in ('asked', 'taken') and ${isLive}) c,
      (select count(*) filter (where sum <> 0)::int as ledger_uneven_tops, coalesce(sum(low), 0)::int as ledger_low_wallets
        from (select sum(balance) as sum, count(*) filter (where balance < floor) as low from wallets group by top_id) t) l,
      (select ${requestSeconds} as request_parts_ahead_seconds) p,
      (select (select count(*) from pushes where due_at is not null and tries > 1)::int
        + (select count(*) from approval_pushes where tries > 1)::int as pushes_failing) n,
      (select size::float8 as database_size_bytes,
          (size - d.bytes)::float8 / nullif(current_date - d.day, 0) as database_growth_bytes
        from (select pg_database_size(current_database()) as size) now
          left join lateral (select day, bytes from database_sizes where day >= current_date - 30 order by day limit 1) d on true) s`,
  )
  return row ?? {}
})

/** A standby that does not answer makes no number, so that its lag is not taken for 0. */
const readStandbys = async ({ replicas }: NumberSources): Promise<{ numbers: Numbers; replayed: bigint[] }> => {
  const lags = await replicas?.lags(DATABASE_MS)
  if (!lags) return { numbers: {}, replayed: [] }
  const known = lags.filter((lag) => lag !== undefined)
  return {
    numbers: {
      standbys_away: lags.length - known.length,
      standby_lag_seconds: known.length ? Math.max(...known.map(({ seconds }) => seconds)) : undefined,
    },
    replayed: known.flatMap(({ replayed }) => (replayed === null ? [] : BigInt(replayed))),
  }
}

const readFiles = async ({ dataDir, walArchive }: NumberSources['settings']): Promise<Numbers> => {
  const age = (at: Date | undefined) => at && (Date.now() - at.getTime()) / 1000
  const [backup, tried, archive, disk] = await Promise.all([
    lastBackup(dataDir),
    lastDrill(dataDir),
    // A directory's time is that of its newest file's arrival.
    walArchive ? stat(walArchive).catch(() => undefined) : undefined,
    statfs(dataDir).catch(() => undefined),
  ])
  return {
    backup_age_seconds: age(backup),
    backup_drill_age_seconds: age(tried),
    archive_age_seconds: age(archive?.mtime),
    disk_free_bytes: disk && disk.bavail * disk.bsize,
    disk_size_bytes: disk && disk.blocks * disk.bsize,
  }
}
