import { say } from '../lib/typed-commands.ts'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterRestore, completeRestore, putBack } from '@tallyroom/postgres/restore'
import { startPostgres } from '@tallyroom/postgres'
import { backupKey } from '../config/backup-key.ts'
import { settingsFrom } from '../config/settings.ts'
import { readerOf } from '../data/sealed-wal.ts'
import { openBackup } from '../data/backup-files.ts'
import { StartError } from '../lib/start-error.ts'
import { argumentsOf } from './arguments.mjs'
import { finish } from './database.ts'

const {
  words: [from = ''],
  values,
} = argumentsOf('restore')

const timeOf = (text: string | undefined) => {
  if (text === undefined) return undefined
  // Without a zone the time would depend on the machine.
  const time = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? new Date(text) : undefined
  if (time && Number.isFinite(time.getTime())) return time
  throw new StartError(`--until is "${text}", but must be a time with its zone, such as 2026-11-21T09:30:00Z.`)
}

/** `npm run restore`: restores a backup, and with the archive everything up to `--until`. */
await finish(async () => {
  const { dataDir: given, databaseUrl, postgresBin: programs } = settingsFrom(process.env)
  if (databaseUrl) throw new StartError('Unset DATABASE_URL: a backup is restored below DATA_DIR.')
  if (values.until && !values.archive)
    throw new StartError('--until needs --archive: a backup alone can only be restored to its own time.')
  const dataDir = resolve(given)
  const archive = values.archive && resolve(values.archive)
  const until = timeOf(values.until)
  const key = backupKey(process.env)
  const backup = openBackup(resolve(from), key)
  const archiver = await readerOf(archive, key)
  // A damaged file is found before anything is restored.
  if (backup.isEncrypted) await backup.hasMedia()
  await putBack({ from: backup.postgres, dataDir, archive, archiver, until }, say)
  const postgres = await completeRestore(dataDir, async () => {
    await backup.copyMedia(join(dataDir, 'media'))
    say('Replaying the log…')
    return await startPostgres({ dataDir, programs, archiver, log: say })
  })
  try {
    const client = new pg.Client(postgres.superuser)
    await client.connect()
    for (const statement of afterRestore) await client.query(statement)
    // Sessions ended after the backup would be open again, and open pages have data that is now gone.
    await client.query(`update sessions set ended_at = now(), end_reason = 'ended' where ended_at is null`)
    await client.end()
  } finally {
    await postgres.stop()
  }
  say(`✓ ${dataDir}: all sessions have ended`)
  say(
    "Put the installation's key there (docs/key.md), check it, and start Tallyroom: npm run key, npm run ledger:check, npm run audit:verify.",
  )
})
