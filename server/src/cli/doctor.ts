import { withConnection } from '../data/sql.ts'
import { diagnose } from '../doctor/doctor.ts'
import { surroundings } from '../doctor/surroundings.ts'
import { settingsFrom } from '../config/settings.ts'
import { argumentsOf } from './arguments.mjs'
import { finish, printDiagnoses, withAccess } from './database.ts'

const { flags } = argumentsOf('doctor')

/**
 * `npm run doctor`: checks settings, database, key, disk, clock, archive, backup and ledger, and says what to do. `--
 * --quick` leaves out the ledger, which reads all transfers. Exits with 1 when something is wrong. Unlike other commands
 * it applies no migrations, so it may be run beside an older version that serves.
 */
await finish(() => {
  const settings = settingsFrom(process.env)
  const isQuick = flags.quick === true
  return withAccess(settings, async ({ app }) => {
    printDiagnoses(
      await withConnection({ ...app, max: 2 }, async (db) => [
        ...(await diagnose({ db, settings, isQuick })),
        ...(await surroundings(db, settings)),
      ]),
      flags.json === true,
    )
  })
})
