import { say } from '../lib/typed-commands.ts'
import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Connection } from '@tallyroom/postgres/postmaster'
import { runningPostgres, startPostgres } from '@tallyroom/postgres'
import { backupKey } from '../config/backup-key.ts'
import { type Settings, settingsFrom } from '../config/settings.ts'
import { inDraft, writeBackup } from '../data/backup-files.ts'
import { postgresOptions } from '../data/sealed-wal.ts'
import { noteBackup } from '../doctor/last-backup.ts'
import { StartError } from '../lib/start-error.ts'
import { argumentsOf } from './arguments.mjs'
import { finish, requireDatabase } from './database.ts'

const {
  words: [directory = ''],
} = argumentsOf('backup')

/** Uses the PostgreSQL of a running server, or starts it for the backup. */
const onCluster = async (settings: Settings, work: (connection: Connection) => Promise<void>) => {
  const { dataDir } = settings
  const running = await runningPostgres(dataDir)
  if (running) return work(running.superuser)
  const postgres = await startPostgres({ dataDir, ...postgresOptions(settings, process.env) })
  try {
    await work(postgres.superuser)
  } finally {
    await postgres.stop()
  }
}

/**
 * `npm run backup -- DIR`: copies database and images of a running or stopped server into a new directory; with BACKUP_KEY
 * or BACKUP_KEY_FILE encrypted.
 */
await finish(async () => {
  const settings = settingsFrom(process.env)
  const { dataDir, databaseUrl } = settings
  const key = backupKey(process.env)
  if (databaseUrl)
    throw new StartError(
      'The database at DATABASE_URL is backed up with its own tools (pg_dump, pg_basebackup), and DATA_DIR/media by copying it: docs/operations/backup.md.',
    )
  const to = resolve(directory)
  if (existsSync(to) && (await readdir(to)).length)
    throw new StartError(`${to} is not empty: give the backup a new directory.`)
  requireDatabase(dataDir)
  const [cluster, media] = [realpathSync(join(dataDir, 'postgres')), join(dataDir, 'media')]
  await inDraft(to, (draft) =>
    onCluster(settings, (connection) => writeBackup(draft, { cluster, connection, media }, key)),
  )
  await noteBackup(dataDir)
  say(`✓ ${to}${key ? ', encrypted. Without its key nobody can restore it: keep a copy of that elsewhere.' : ''}`)
  if (settings.media.s3)
    say(
      `Images and files in S3 (bucket ${settings.media.s3.bucket}) are not in the backup: let the bucket keep versions, or copy it (docs/operations/run.md).`,
    )
  say("The backup does not contain the installation's key: keep a copy of it elsewhere (docs/key.md).")
})
