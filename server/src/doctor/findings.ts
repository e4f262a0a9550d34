import type { Finding } from '@tallyroom/contract/calls/office/installation'
import { findingStates, type FindingState, type InstallationTopic, MAX_COUNTED } from '@tallyroom/contract/installation'
import type { Settings } from '../config/settings.ts'
import { type Database, type Db, one, type Sql, sql } from '../data/sql.ts'
import { isSandbox } from '../domain/sandboxes.ts'
import type { LiveState } from '../live/live-state.ts'
import { diagnose } from './doctor.ts'
import { type Numbers, type NumberSources, readNumbers } from './numbers.ts'

/** From here on somebody should look: the thresholds of deploy/prometheus/alerts.yml. */
export const thresholds = { wait: 900, webhook: 600, seal: 900 } as const
const FAILING_PUSHES = 20
const STANDBY_SECONDS = 60
/** A disk that will be full within so many days. */
const DAYS_LEFT = 30

type Sources = NumberSources & { db: Database; settings: Settings; live: LiveState }
type Values = Partial<Pick<Finding, 'count' | 'seconds' | 'bytes' | 'more_bytes'>>

/** How the installation is: the doctor's findings without the ledger, and the numbers of the metrics. No large table is read. */
export const findAll = async (sources: Sources): Promise<Finding[]> => {
  const { db, settings, live } = sources
  const [{ database, files }, diagnoses, people, messages, transfers] = await Promise.all([
    readNumbers(sources),
    diagnose({ db, settings, isQuick: true }),
    live.people(),
    countLastHour(db, sql`messages`, sql`group_id`),
    countLastHour(db, sql`transfers`, sql`top_id`),
  ])
  const numbers: Numbers = { ...files, ...database }
  const isOwn = settings.databaseUrl === undefined
  const values: Partial<Record<InstallationTopic, Values>> = {
    people: { count: people },
    messages: { count: messages },
    transfers: { count: transfers },
    waiting: { count: numbers.waiting_members ?? null, seconds: numbers.longest_wait_seconds ?? null },
    webhooks: { count: numbers.webhooks_due ?? null, seconds: numbers.webhook_oldest_seconds ?? null },
    pushes: { count: numbers.pushes_failing ?? null },
    points: {},
    ...(settings.sealsLedger ? { seal: { seconds: numbers.seal_age_seconds ?? null } } : {}),
    ...(isOwn || numbers.backup_age_seconds !== undefined
      ? { backup: { seconds: numbers.backup_age_seconds ?? null } }
      : {}),
    // Without a backup there is no drill.
    ...(isOwn && numbers.backup_age_seconds !== undefined
      ? { drill: { seconds: numbers.backup_drill_age_seconds ?? null } }
      : {}),
    database: { bytes: numbers.database_size_bytes ?? null, more_bytes: numbers.database_growth_bytes ?? null },
    disk: { bytes: numbers.disk_free_bytes ?? null, more_bytes: numbers.disk_size_bytes ?? null },
    ...(sources.replicas
      ? { standbys: { count: numbers.standbys_away ?? null, seconds: numbers.standby_lag_seconds ?? null } }
      : {}),
    ...(settings.media.s3 ? { media: {} } : {}),
    ...(settings.redisUrl ? { relay: {} } : {}),
  }
  const judged = judge(numbers, { isOwn, isRelayUp: live.isRelayUp() })
  // Without an answer in time nothing is known of what the database says.
  if (!database) judged.set('database', 'wrong')
  for (const { topic, state } of diagnoses) if (topic) raise(judged, topic, state)
  const topics = new Set([...(Object.keys(values) as InstallationTopic[]), ...judged.keys()])
  return [...topics].map((topic) => ({
    topic,
    state: judged.get(topic) ?? 'fine',
    count: null,
    seconds: null,
    bytes: null,
    more_bytes: null,
    ...values[topic],
  }))
}

const raise = (judged: Map<InstallationTopic, FindingState>, topic: InstallationTopic, state: FindingState) => {
  const before = judged.get(topic) ?? 'fine'
  judged.set(topic, findingStates.indexOf(state) > findingStates.indexOf(before) ? state : before)
}

const judge = (numbers: Numbers, { isOwn, isRelayUp }: { isOwn: boolean; isRelayUp: boolean }) => {
  const judged = new Map<InstallationTopic, FindingState>()
  const look = (topic: InstallationTopic, isTrouble: boolean, state: FindingState = 'warning') => {
    if (isTrouble) raise(judged, topic, state)
  }
  const of = (name: keyof Numbers) => numbers[name] ?? 0
  look('waiting', of('longest_wait_seconds') > thresholds.wait)
  look('webhooks', of('webhook_oldest_seconds') > thresholds.webhook)
  look('pushes', of('pushes_failing') >= FAILING_PUSHES)
  look('points', of('ledger_uneven_tops') + of('ledger_low_wallets') > 0, 'wrong')
  look('seal', of('seal_age_seconds') > thresholds.seal)
  look('disk', isOwn && of('database_growth_bytes') * DAYS_LEFT > (numbers.disk_free_bytes ?? Infinity))
  look('standbys', of('standbys_away') > 0 || of('standby_lag_seconds') > STANDBY_SECONDS)
  look('relay', !isRelayUp)
  return judged
}

/**
 * The rows of the last hour, without those of sandboxes. The index of both tables begins with another column: each of its values is looked up in the
 * index, and only the hour is read.
 */
const countLastHour = async (db: Db, table: Sql, column: Sql): Promise<number> => {
  const row = await one<{ n: number }>(
    db,
    sql`with recursive each (id) as (
        select min(${column}) from ${table}
        union all select (select min(${column}) from ${table} where ${column} > each.id) from each where each.id is not null)
      select count(*)::int as n from (select from each cross join lateral (select from ${table}
        where ${column} = each.id and created_at > now() - interval '1 hour' and not ${isSandbox(sql`top_id`)}) rows limit ${MAX_COUNTED + 1}) found`,
  )
  return row?.n ?? 0
}
