import { say } from '../lib/typed-commands.ts'
import { settingsFrom } from '../config/settings.ts'
import { migrateFor } from '../data/access.ts'
import { refuseBesideServers } from '../data/running-servers.ts'
import { withConnection } from '../data/sql.ts'
import { rebuildDays } from '../ledger/check/day-totals.ts'
import { adoptZone } from '../ledger/check/time-zone.ts'
import { argumentsOf } from './arguments.mjs'
import { finish, withAccess } from './database.ts'

argumentsOf('ledger:days')

/**
 * `npm run ledger:days`: after a change of TIME_ZONE, counts all days of the reports once more in the new one. Stop all
 * servers first: one with the former time zone transfers nothing afterwards.
 */
await finish(async () => {
  const settings = settingsFrom(process.env)
  await withAccess(settings, async (access) => {
    // A server would go on with the former time zone, and transfer nothing.
    await refuseBesideServers(access.app, 'npm run ledger:days')
    await migrateFor(access)
    await withConnection({ ...(access.owner ?? access.app), max: 1 }, async (db) => {
      await adoptZone(db, settings)
      await rebuildDays(db, settings.timeZone)
    })
  })
  say(`✓ the days of the reports are counted in ${settings.timeZone}. Check them with: npm run ledger:check`)
})
