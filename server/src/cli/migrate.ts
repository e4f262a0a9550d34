import { migrateFor } from '../data/access.ts'
import { settingsFrom } from '../config/settings.ts'
import { argumentsOf } from './arguments.mjs'
import { finish, withAccess } from './database.ts'

argumentsOf('migrate')

/**
 * `npm run migrate`: applies the migrations of this version and ends. Older copies may serve meanwhile; a new copy then
 * starts without waiting.
 */
await finish(() =>
  withAccess(settingsFrom(process.env), async (access) => {
    const applied = await migrateFor(access, (name) => process.stdout.write(`${name}…\n`))
    process.stdout.write(applied.length ? `${applied.length} migrations applied.\n` : 'The database is up to date.\n')
  }),
)
