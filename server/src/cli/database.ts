import { type Access, migrateFor, outsideDatabase } from '../data/access.ts'
import { connect, type Database } from '../data/sql.ts'
import { runningPostgres, startPostgres } from '@tallyroom/postgres'
import { type Settings, settingsFrom } from '../config/settings.ts'
import { asStartError, StartError } from '../lib/start-error.ts'

/** Runs a command on the database: DATABASE_URL, that of a running server, or our own, started for the command. */
export const withDatabase = async (work: (db: Database, settings: Settings) => Promise<void>): Promise<void> => {
  await finish(async () => {
    const settings = settingsFrom(process.env)
    const running = outsideDatabase(settings) ?? (await runningPostgres(settings.dataDir))
    if (running) return await onDatabase(running, settings, work)
    const postgres = await startPostgres({ dataDir: settings.dataDir, archive: settings.walArchive })
    try {
      await onDatabase(postgres, settings, work)
    } finally {
      await postgres.stop()
    }
  })
}

/** Runs a command. Errors that the operator can fix are printed as one line, others with their stack. */
export const finish = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (thrown) {
    const error = asStartError(thrown)
    process.stderr.write(
      `${error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    )
    process.exitCode = 1
  }
}

const onDatabase = async (access: Access, settings: Settings, work: Parameters<typeof withDatabase>[0]) => {
  await migrateFor(access)
  const db = connect({ ...access.app, max: 4 })
  try {
    await work(db, settings)
  } finally {
    await db.end()
  }
}
