import { say } from '../lib/typed-commands.ts'
import { acceptKey, loadKey } from '../identity/installation-key.ts'
import { withDatabase } from './database.ts'

/**
 * `npm run key`: checks that the installation's key is present and right. `npm run key -- accept`, when the key is
 * lost: accepts the present or a new key. Authenticators sealed with the lost key stop working; recovery codes still
 * work.
 */
await withDatabase(async (db, settings) => {
  if (process.argv[2] === 'accept') {
    await acceptKey(db, settings)
    say(
      'Accepted. Authenticators from before cannot be checked any more: sign in with a recovery code, or: npm run account -- second-factor-off NAME',
    )
    return
  }
  await loadKey(db, settings)
  say('✓ The key belongs to this installation. Keep a copy of it apart from the backups of the database.')
})
