import { acceptKey, loadKey } from '../identity/installation-key.ts'
import { withDatabase } from './database.ts'

/**
 * `npm run key`: whether the key of the installation is there and the right one. `npm run key -- accept`, when it is lost for
 * good: the one that is here now counts. Authenticators sealed with the lost one no longer answer; recovery codes do.
 */
await withDatabase(async (db, settings) => {
  if (process.argv[2] === 'accept') {
    await acceptKey(db, settings)
    process.stdout.write(
      'Accepted. Authenticators from before cannot be checked any more: sign in with a recovery code, or: npm run account -- second-factor-off NAME\n',
    )
    return
  }
  await loadKey(db, settings)
  process.stdout.write(
    '✓ the key is the one of this installation; keep a copy of it apart from the backups of the database\n',
  )
})
