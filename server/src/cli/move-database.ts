import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type EmbeddedPostgres, startPostgres } from '@tallyroom/postgres'
import { findPackage, releaseIn } from '@tallyroom/postgres/binaries'
import { type Settings, settingsFrom } from '../config/settings.ts'
import { type Access, migrateFor, outsideDatabase } from '../data/access.ts'
import { copyDatabase } from '../data/postgres/copy-database.ts'
import { postgresVersion } from '../data/postgres/versions.ts'
import { withConnection } from '../data/sql.ts'
import { verifyAudit } from '../identity/audit-chain.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { adoptZone } from '../ledger/check/time-zone.ts'
import { StartError } from '../lib/start-error.ts'
import { say } from '../lib/typed-commands.ts'
import { argumentsOf } from './arguments.mjs'
import { finish } from './database.ts'

/** `npm run database`: carries the embedded database to another PostgreSQL, and checks what came out of it. */

const { command, values } = argumentsOf('database')

/** The release that made the database of this DATA_DIR. @throws StartError when there is none */
const madeBy = (dataDir: string): string => {
  const file = join(dataDir, 'postgres/PG_VERSION')
  if (!existsSync(file)) throw new StartError(`There is no embedded database in ${dataDir}.`)
  return readFileSync(file, 'utf8').trim()
}

/** PostgreSQL's programs of this release; undefined: those that are brought. @throws StartError when there are none */
const programsOf = async (major: string, { postgresBin }: Settings): Promise<string | undefined> => {
  const usual = `/usr/lib/postgresql/${major}/bin`
  for (const path of [values.from, postgresBin, usual])
    if (path !== undefined && (await releaseIn(path)).major === major) return resolve(path)
  if (isBrought(major)) return undefined
  throw new StartError(
    `The database was made by PostgreSQL ${major}. Install it and name its programs: --from ${usual}`,
  )
}
const isBrought = (major: string) => {
  try {
    return findPackage().version.startsWith(`${major}.`)
  } catch {
    return false
  }
}

const copyAndCheck = async (from: EmbeddedPostgres, to: Access, settings: Settings) => {
  await migrateFor(from)
  await migrateFor(to)
  say('Copying…')
  const { tables, rows } = await copyDatabase(from.superuser, to.owner ?? to.app, say)
  await withConnection({ ...to.app, max: 4 }, async (db) => {
    await adoptZone(db, settings)
    const broken = (await checkLedger(db, settings.timeZone)).find(({ breaches }) => breaches.length > 0)
    if (broken)
      throw new StartError(`The copy's ledger breaks "${broken.rule}". See npm run ledger:check of the old one.`)
    const { breaches } = await verifyAudit(db)
    if (breaches[0]) throw new StartError(`The copy's audit log is broken: ${breaches[0]}`)
    say(
      `✓ PostgreSQL ${await postgresVersion(db)} has ${rows} rows of ${tables} tables; ledger and audit log are sound`,
    )
  })
}

const exportDatabase = async (settings: Settings) => {
  const to = outsideDatabase(settings)
  if (!to) throw new StartError('Set DATABASE_URL to the empty database that is to take everything.')
  const { dataDir } = settings
  const postgres = await startPostgres({ dataDir, programs: await programsOf(madeBy(dataDir), settings), log: say })
  try {
    await copyAndCheck(postgres, to, settings)
  } finally {
    await postgres.stop()
  }
  say(
    `Start with this DATABASE_URL from now on. Key, images and files stay in ${dataDir}; its postgres/ is not used any more.`,
  )
}

const upgrade = async (settings: Settings) => {
  if (settings.databaseUrl) throw new StartError('Unset DATABASE_URL: the database below DATA_DIR is upgraded.')
  const { dataDir, postgresBin } = settings
  const major = madeBy(dataDir)
  const cluster = realpathSync(join(dataDir, 'postgres'))
  const aside = `${cluster}-${major}`
  if (existsSync(aside)) throw new StartError(`${aside} is there from an earlier upgrade: move it away first.`)
  const draft = await mkdtemp(join(dirname(cluster), 'upgrade-'))
  try {
    // The old one first: while a server uses it, nothing is made.
    const old = await startPostgres({ dataDir, programs: await programsOf(major, settings), log: say })
    try {
      const made = await startPostgres({ dataDir: draft, programs: postgresBin, log: say })
      try {
        if (madeBy(draft) === major) throw new StartError(`The database is of PostgreSQL ${major} already.`)
        await copyAndCheck(old, made, settings)
      } finally {
        await made.stop()
      }
    } finally {
      await old.stop()
    }
    await rename(cluster, aside)
    await rename(realpathSync(join(draft, 'postgres')), cluster)
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  say(`✓ ${cluster} is upgraded; what it was lies in ${aside}`)
  say('Make a backup now, and archive the log into a new WAL_ARCHIVE: old ones belong to the old database.')
}

await finish(() => {
  const settings = settingsFrom(process.env)
  return command === 'export' ? exportDatabase(settings) : upgrade(settings)
})
