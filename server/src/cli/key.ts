import { say } from '../lib/typed-commands.ts'
import { settingsFrom } from '../config/settings.ts'
import { migrateFor } from '../data/access.ts'
import { refuseBesideServers } from '../data/running-servers.ts'
import { withConnection } from '../data/sql.ts'
import { acceptKey, loadKey } from '../identity/installation-key.ts'
import { finish, withAccess, withDatabase } from './database.ts'

const accept = async () => {
  const settings = settingsFrom(process.env)
  await withAccess(settings, async (access) => {
    // A server would go on with the former key until it is started again, and then not start.
    await refuseBesideServers(access.app, 'npm run key -- accept')
    await migrateFor(access)
    await withConnection({ ...access.app, max: 1 }, (db) => acceptKey(db, settings))
  })
  say(
    'Accepted. Authenticators from before cannot be checked any more: sign in with a recovery code, or: npm run account -- second-factor-off NAME',
  )
}

/**
 * `npm run key`: checks that the installation's key is present and right. `npm run key -- accept`, when the key is
 * lost: accepts the present or a new key. Authenticators sealed with the lost key stop working; recovery codes still
 * work.
 */
await (process.argv[2] === 'accept'
  ? finish(accept)
  : withDatabase(async (db, settings) => {
      await loadKey(db, settings)
      say('✓ The key belongs to this installation. Keep a copy of it apart from the backups of the database.')
    }))
