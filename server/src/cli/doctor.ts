import { connect } from '../data/sql.ts'
import { diagnose } from '../doctor/doctor.ts'
import { settingsFrom } from '../config/settings.ts'
import { finish, printDiagnoses, withAccess } from './database.ts'

/**
 * `npm run doctor`: checks settings, database, key, disk, clock, archive, backup and ledger, and says what to do. `--
 * --quick` leaves out the ledger, which reads all transfers. Exits with 1 when something is wrong. Unlike other commands
 * it applies no migrations, so it may be run beside an older version that serves.
 */
await finish(() => {
  const settings = settingsFrom(process.env)
  return withAccess(settings, async ({ app }) => {
    const db = connect({ ...app, max: 2 })
    try {
      printDiagnoses(await diagnose({ db, settings, isQuick: process.argv.includes('--quick') }))
    } finally {
      await db.end()
    }
  })
})
