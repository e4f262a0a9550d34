import { replicaConfigs } from '../data/access.ts'
import { type Database, many, one, type Row, sql } from '../data/sql.ts'
import { parseDatabaseUrl } from '../config/database-url.ts'
import type { Settings } from '../config/settings.ts'
import { type Diagnosis, fine, warning, wrong } from './diagnosis.ts'
import { askServer } from './ask-server.ts'

const MB = 1_000_000
/** A standby that is so far behind takes minutes to be of use. */
const FAR_BYTES = 100 * MB
const LONG_SECONDS = 60

const megabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`

/** The servers that the settings name, each once, with the settings that name it. */
const namedServers = (settings: Settings): Map<string, { url: string; of: string }> => {
  const servers = new Map<string, { url: string; of: string }>()
  const add = (url: string, of: string) => {
    const { hosts } = parseDatabaseUrl(`${url}${url.includes('?') ? '&' : '?'}target_session_attrs=any`) ?? {}
    const [server] = hosts ?? []
    if (!server) return
    const name = `${server.host}:${server.port}`
    const known = servers.get(name)
    servers.set(name, { url, of: known ? `${known.of} and ${of}` : of })
  }
  const { hosts = [] } = parseDatabaseUrl(settings.databaseUrl ?? '') ?? {}
  for (const { url } of hosts) add(url, 'DATABASE_URL')
  for (const { connectionString = '' } of replicaConfigs(settings)) add(connectionString, 'DATABASE_READ_URL')
  return servers
}

type Standing = { isStandby: boolean; behind: string | null; seconds: number | null }

/** Asks one server how far it is. `at`: how far the primary is. */
const lookAt = async (name: string, { url, of }: { url: string; of: string }, at: string): Promise<Diagnosis> => {
  const found = await askServer<Standing>(
    url,
    `select pg_is_in_recovery() as "isStandby",
      case when pg_is_in_recovery() then pg_wal_lsn_diff('${at}', pg_last_wal_replay_lsn()) end::text as behind,
      case when pg_is_in_recovery() then extract(epoch from now() - pg_last_xact_replay_timestamp()) end::float8 as seconds`,
  ).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  if (typeof found === 'string')
    return warning(
      `${name} (${of}) does not answer: ${found}.`,
      'Bring it back. Until then there is one server less to go on with.',
    )
  if (!found.isStandby) return fine(`${name} (${of}) takes writes.`)
  const behind = Math.max(0, Number(found.behind ?? 0))
  const words = `${name} (${of}) is a standby, ${megabytes(behind)} behind.`
  const isFar = behind > FAR_BYTES || (behind > 0 && (found.seconds ?? 0) > LONG_SECONDS)
  return isFar
    ? warning(words, 'See its log and its network. Meanwhile the primary is read, and a failover would take long.')
    : fine(words)
}

type Follower = Row & { name: string | null; state: string | null; sync: string | null; behind: string | null }

/** Asks the primary about its standbys. */
const followers = async (db: Database, isExpected: boolean): Promise<Diagnosis[]> => {
  const rows = await many<Follower>(
    db,
    sql`select application_name as name, state, sync_state as sync,
      pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::text as behind from pg_stat_replication order by 1`,
  )
  if (rows.length === 0)
    return isExpected
      ? [
          wrong(
            'No standby follows the primary.',
            'Bring one back: the loss of one more machine would stop everything.',
          ),
        ]
      : []
  if (rows.some(({ state }) => state === null))
    return [
      fine(
        `${rows.length} programs take the log of the primary. Grant pg_read_all_stats to the role of DATABASE_URL to see how far they are.`,
      ),
    ]
  const isWaitedFor = rows.some(({ sync }) => sync === 'sync' || sync === 'quorum')
  const list = rows.map(
    ({ name, state, sync, behind }) => `${name} (${state}, ${sync}, ${megabytes(Number(behind))} behind)`,
  )
  const found = [fine(`The primary is followed by ${list.join(', ')}.`)]
  if (!isWaitedFor)
    found.push(
      warning(
        'Commits wait for no standby: the last moments are lost with the primary.',
        'Let them: synchronous_mode: true in Patroni, or synchronous_standby_names.',
      ),
    )
  return found
}

type Slot = Row & { name: string; kept: string | null; status: string | null }

/** Slots that nobody reads keep the log until the disk is full. */
const slots = async (db: Database): Promise<Diagnosis[]> => {
  const rows = await many<Slot>(
    db,
    sql`select slot_name as name, wal_status as status,
        pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text as kept
      from pg_replication_slots where not active and not temporary and (restart_lsn is not null or wal_status = 'lost')
      order by 1`,
  )
  return rows.map(({ name, kept, status }) =>
    status === 'lost'
      ? warning(
          `The standby of the replication slot "${name}" is too far behind to follow any more.`,
          `Build it again, or drop the slot: select pg_drop_replication_slot('${name}').`,
        )
      : warning(
          `Nobody reads the replication slot "${name}", which keeps ${megabytes(Number(kept))} of the log.`,
          `Bring its standby back, or drop the slot: select pg_drop_replication_slot('${name}'). Until then the disk of the database fills.`,
        ),
  )
}

/** Without this right the metrics do not see what other roles do. Alerts about it are silent then, and not false. */
const statisticsRight = async (db: Database): Promise<Diagnosis[]> => {
  const row = await one<Row & { name: string; sees: boolean }>(
    db,
    sql`select current_user::text as name, pg_has_role(current_user, 'pg_read_all_stats', 'usage') as sees`,
  )
  if (row?.sees) return []
  return [
    warning(
      'The metrics see neither standbys nor what other roles do in the database.',
      `Let them, as an administrator of PostgreSQL: grant pg_read_all_stats to ${row?.name}.`,
    ),
  ]
}

/** The servers of the database and how far each is. The embedded database has only one. */
export const standbys = async ({ db, settings }: { db: Database; settings: Settings }): Promise<Diagnosis[]> => {
  if (!settings.databaseUrl) return slots(db)
  const servers = namedServers(settings)
  const row = await one<Row & { at: string }>(db, sql`select pg_current_wal_lsn()::text as at`)
  const found = await Promise.all([...servers].map(([name, server]) => lookAt(name, server, row?.at ?? '0/0')))
  return [
    ...found,
    ...(await followers(db, servers.size > 1)),
    ...(await slots(db)),
    ...(settings.metrics ? await statisticsRight(db) : []),
  ]
}
