import { say } from '../lib/typed-commands.ts'
import { acceptKey, loadKey } from '../data/installation-key.ts'
import { argumentsOf } from './arguments.mjs'
import { withDatabase, withDatabaseAlone } from './database.ts'

const { command } = argumentsOf('key')

/**
 * `npm run key`: checks that the installation's key is present and right. `npm run key -- accept`, when the key is
 * lost: accepts the present or a new key. Authenticators sealed with the lost key stop working; recovery codes still
 * work.
 */
const check = () =>
  withDatabase(async (db, settings) => {
    await loadKey(db, settings)
    say('✓ The key belongs to this installation. Keep a copy of it apart from the backups of the database.')
  })

/** Alone: a server would go on with the former key until it is started again, and then not start. */
const accept = () =>
  withDatabaseAlone('npm run key -- accept', async (db, settings) => {
    await acceptKey(db, settings)
    say(
      'Accepted. Authenticators from before cannot be checked any more: sign in with a recovery code, or: npm run account -- second-factor-off NAME',
    )
  })

await (command === 'accept' ? accept() : check())
