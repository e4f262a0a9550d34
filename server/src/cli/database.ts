import { type Access, migrateFor, outsideDatabase } from '../data/access.ts'
import { connect, type Database } from '../data/sql.ts'
import { runningPostgres, startPostgres } from '@tallyroom/postgres'
import { type Settings, settingsFrom } from '../config/settings.ts'
import { asStartError, StartError } from '../lib/start-error.ts'

/** Runs a command on the house's database: the outside one, the one of a Tallyroom that is running, or its own, started for it. */
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

/** Does the work of a command; what a person can repair is one line. */
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
