import { adoptZone } from '../ledger/check/time-zone.ts'
import { stat, statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { InstallationTopic } from '@tallyroom/contract/installation'
import { RESERVED_BYTES } from '@tallyroom/postgres/disk'
import { CONNECTIONS } from '../data/access.ts'
import { DatabaseAway, reasonOf } from '../data/faults.ts'
import { lastBackup, lastDrill } from './last-backup.ts'
import { pendingMigrations } from '../data/migrate.ts'
import { complaintOfPostgres, postgresVersion } from '../data/postgres/versions.ts'
import { requestDaysAhead } from '../data/request-parts.ts'
import { type Database, one, type Row, sql } from '../data/sql.ts'
import { keyState } from '../data/installation-key.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { nodeUnsupportedSince, version } from '../lib/version.mjs'
import type { Settings } from '../config/settings.ts'
import { type Diagnosis, fine, warning, wrong } from './diagnosis.ts'
import { media } from './media.ts'
import { pooler } from './pooler.ts'
import { standbys } from './standbys.ts'

type Patient = { db: Database; settings: Settings; isQuick: boolean }
/** `pending`: the migrations that the database lacks, read by the first check that asks. */
type Check = (patient: Patient & { pending: () => Promise<string[]> }) => Promise<Diagnosis[]>

const GB = 1_000_000_000
const LITTLE_SPACE = 5 * GB
const MAX_CLOCK_MS = 2000
const BACKUP_HOURS = 25
const DRILL_HOURS = 8 * 24
const LEAST_DAYS_AHEAD = 10
const OWN_POSTGRES =
  'Install a newer one and name it by POSTGRES_BIN, or take a database of your own: docs/operations/database.md.'

const gigabytes = (bytes: number) => `${(bytes / GB).toFixed(1)} GB`
const hours = (since: Date) => Math.floor((Date.now() - since.getTime()) / 3_600_000)

const versions: Check = async ({ db, settings: { databaseUrl } }) => {
  const postgres = await postgresVersion(db)
  const old = complaintOfPostgres(postgres)
  const ended = nodeUnsupportedSince()
  return [
    fine(`This is Tallyroom ${version} on Node ${process.versions.node} and PostgreSQL ${postgres}.`),
    ...(ended ? [warning(`This Node has got no fixes since ${ended}.`, 'Install Node 24 or newer.')] : []),
    ...(old ? [warning(old, databaseUrl ? 'Update it: its data stay as they are.' : OWN_POSTGRES)] : []),
  ]
}

const migrations: Check = async ({ pending }) => {
  const names = await pending()
  if (names.length === 0) return [fine('The database has every migration of this version.')]
  return [
    warning(`Migrations of this version that the database lacks: ${names.join(', ')}.`, 'The next start applies them.'),
  ]
}

const key: Check = async ({ db, settings }) => {
  const state = await keyState(db, settings)
  if (state === 'right') return [fine('The key belongs to this installation.')]
  if (state === 'new')
    return [warning('There is no key yet.', 'The first start makes one. Keep a copy of it: docs/key.md.')]
  const found =
    state === 'missing' ? 'The key of this installation is missing.' : 'The key is not that of this installation.'
  return [wrong(found, 'Restore TALLYROOM_KEY, or installation.key in DATA_DIR: docs/key.md.')]
}

const disk: Check = async ({ settings: { dataDir, databaseUrl } }) => {
  const disk = await statfs(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (!disk)
    return [warning(`There is no directory ${dataDir} yet.`, 'The first start makes it. Otherwise check DATA_DIR.')]
  const { bavail, bsize, blocks } = disk
  const [free, size] = [bavail * bsize, blocks * bsize]
  const found = `${gigabytes(free)} of ${gigabytes(size)} are free on the disk of DATA_DIR.`
  if (free < RESERVED_BYTES)
    return [
      wrong(
        found,
        databaseUrl
          ? 'Free some: photos and files cannot be stored here for much longer.'
          : 'Free some: until then every write is refused.',
      ),
    ]
  return [free < LITTLE_SPACE ? warning(found, 'Free some, or give it a larger disk.') : fine(found)]
}

const clock: Check = async ({ db }) => {
  const before = Date.now()
  const row = await one<Row & { now: Date }>(db, sql`select clock_timestamp() as now`)
  const middle = (before + Date.now()) / 2
  const apart = Math.abs((row?.now.getTime() ?? middle) - middle)
  if (apart <= MAX_CLOCK_MS) return [fine('The clocks of server and database agree.')]
  return [
    wrong(
      `The clocks of server and database are ${Math.round(apart / 1000)} s apart.`,
      'Let both follow NTP: sessions, codes and deadlines are judged by the time.',
    ),
  ]
}

/** We know only the backups of a database of others that are noted here, and whether its log is archived. */
const backup: Check = async ({ db, settings: { dataDir, databaseUrl } }) => {
  const last = await lastBackup(dataDir)
  if (databaseUrl && !last) {
    if (await archivesLog(db)) return []
    return [
      warning(
        'The database is elsewhere and does not archive its log: its backups cannot be seen from here.',
        'See that it has some, and let each write the time into DATA_DIR/last-backup: docs/operations/backup.md.',
      ),
    ]
  }
  if (!last)
    return [
      wrong(
        'No backup has been made of this DATA_DIR.',
        'npm run backup -- DIR, and plan it: docs/operations/backup.md.',
      ),
    ]
  const age = hours(last)
  const found = `The last backup ended ${age} hours ago.`
  return [
    age < BACKUP_HOURS
      ? fine(found)
      : warning(found, databaseUrl ? 'Make one each day.' : 'Make one each day: npm run backup -- DIR.'),
  ]
}

const drill: Check = async ({ settings: { dataDir, databaseUrl } }) => {
  if (databaseUrl || !(await lastBackup(dataDir))) return []
  const last = await lastDrill(dataDir)
  const advice = 'Try one each week: npm run drill -- DIR.'
  if (!last) return [warning('No backup has been restored as a test yet.', advice)]
  const found = `A backup was last restored as a test ${hours(last)} hours ago.`
  return [hours(last) < DRILL_HOURS ? fine(found) : warning(found, advice)]
}

const archivesLog = async (db: Database) => {
  const row = await one<Row & { archives: boolean }>(
    db,
    sql`select current_setting('archive_mode') <> 'off' as archives from pg_stat_archiver where last_archived_time is not null`,
  )
  return row?.archives === true
}

const archive: Check = async ({ db, settings: { databaseUrl, walArchive } }) => {
  if (databaseUrl ? !(await archivesLog(db)) : !walArchive) return []
  if (walArchive && !databaseUrl && !(await stat(walArchive).catch(() => undefined))?.isDirectory())
    return [
      wrong(
        `WAL_ARCHIVE is ${walArchive}, which is no directory.`,
        'Make it, writable for the user that runs Tallyroom.',
      ),
    ]
  const row = await one<Row & { failing: boolean; failed: string | null }>(
    db,
    sql`select last_failed_time > coalesce(last_archived_time, '-infinity') as failing, last_failed_wal as failed from pg_stat_archiver`,
  )
  if (row?.failing)
    return [
      wrong(
        `The archive did not take ${row.failed}.`,
        'Look for space and rights where the log is archived: the disk of the database fills until it works.',
      ),
    ]
  return [fine('The archive takes what the database gives it.')]
}

const proxy: Check = async ({ settings: { publicUrl, trustedProxies } }) =>
  publicUrl?.startsWith('https:') && trustedProxies === 0
    ? [
        warning(
          'PUBLIC_URL is https, but TRUSTED_PROXIES is 0.',
          'Behind a proxy set it to 1: otherwise all clients share its address, and with it their limits.',
        ),
      ]
    : []

const demo: Check = async ({ settings }) =>
  settings.demo
    ? [warning('This is a demo: DEMO is 1.', 'Never serve real people from it: its passwords are known.')]
    : []

const parts: Check = async ({ db, pending }) => {
  // Before its migration there are none.
  if ((await pending()).length > 0) return []
  const days = await requestDaysAhead(db)
  if (days > LEAST_DAYS_AHEAD) return [fine(`There is room for the requests of the next ${Math.floor(days)} days.`)]
  return [
    wrong(
      `There is no part of the table "requests" for the time in ${Math.max(0, Math.floor(days))} days.`,
      'Start the server, which makes one each hour; its log says why it could not. Without one all writes are refused.',
    ),
  ]
}

const points: Check = async ({ db, settings, isQuick }) => {
  if (isQuick) return []
  await adoptZone(db, settings)
  const findings = await checkLedger(db, settings.timeZone)
  const broken = findings.filter(({ breaches }) => breaches.length > 0)
  if (broken.length === 0) return [fine(`The ledger keeps all of its ${findings.length} rules.`)]
  return broken.map(({ rule, breaches }) =>
    wrong(`The ledger breaks "${rule}" ${breaches.length} times.`, 'Stop transfers, and see npm run ledger:check.'),
  )
}

/** Connections that are left for commands such as this one. */
const SPARE = 10
const workers: Check = async ({ db, settings: { workers: count, databaseUrl } }) => {
  if (count === 1) return []
  const cores = availableParallelism()
  const row = await one<Row & { most: number }>(db, sql`select current_setting('max_connections')::int as most`)
  const needed = CONNECTIONS * (count + 1) + SPARE
  return [
    ...(count > cores
      ? [
          warning(
            `WORKERS is ${count}, but this machine has ${cores} cores.`,
            'More workers than cores make it slower.',
          ),
        ]
      : [fine(`${count} workers share ${cores} cores.`)]),
    // The embedded database starts with as many as are needed.
    ...(databaseUrl && row && row.most < needed
      ? [
          wrong(
            `The database takes ${row.most} connections, and ${count} workers and their writer need ${needed}.`,
            'Raise max_connections of PostgreSQL, or lower WORKERS.',
          ),
        ]
      : []),
  ]
}

const checks = {
  versions,
  pooler,
  standbys,
  migrations,
  key,
  disk,
  clock,
  media,
  archive,
  backup,
  drill,
  parts,
  proxy,
  workers,
  demo,
  points,
} satisfies Partial<Record<InstallationTopic, Check>>
/** The checks of a database on which no server has been started. */
const checksOfNew = { versions, disk, clock, proxy, workers, demo } satisfies Partial<typeof checks>
/** The checks that work while the database is away. */
const checksWithoutDatabase = { disk, drill, proxy, demo } satisfies Partial<typeof checks>

/** Looks at everything that a person who operates the installation should know; changes nothing. */
export const diagnose = async (patient: Patient): Promise<Diagnosis[]> => {
  const { first, able } = await begin(patient.db)
  let names: Promise<string[]> | undefined
  const pending = () => (names ??= pendingMigrations(patient.db))
  const found: Diagnosis[] = first
  for (const [name, check] of Object.entries<Check>(able)) {
    const made = await check({ ...patient, pending }).catch((error: unknown) => [
      wrong(
        `"${name}" could not be checked: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, '')}.`,
        'Fix this first.',
      ),
    ])
    found.push(...made.map((one) => ({ ...one, topic: name as InstallationTopic })))
  }
  return found
}

/** The checks that this database is able to answer, and the finding that there are no others. */
const begin = async (db: Database): Promise<{ first: Diagnosis[]; able: Partial<typeof checks> }> => {
  try {
    if (!(await isEmpty(db))) return { first: [], able: checks }
    return { first: [warning('The database is empty.', 'The first start fills it.')], able: checksOfNew }
  } catch (error) {
    if (!(error instanceof DatabaseAway)) throw error
    const found = `The database does not answer (${reasonOf(error)}).`
    const advice = 'Check that it is running, and DATABASE_URL if it is set. What needs it was not looked at.'
    return { first: [wrong(found, advice)], able: checksWithoutDatabase }
  }
}

const isEmpty = async (db: Database) =>
  (await one<Row & { table: string | null }>(db, sql`select to_regclass('schema_migrations')::text as table`))
    ?.table === null
