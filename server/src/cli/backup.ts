import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backUpCluster, copyTree } from '@tallyroom/postgres/backup'
import type { Connection } from '@tallyroom/postgres/postmaster'
import { runningPostgres, startPostgres } from '@tallyroom/postgres'
import { type Settings, settingsFrom } from '../config/settings.ts'
import { noteBackup } from '../data/last-backup.ts'
import { StartError } from '../lib/start-error.ts'
import { finish } from './database.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Uses the PostgreSQL of a running server, or starts it for the backup. */
const onCluster = async ({ dataDir, walArchive }: Settings, work: (connection: Connection) => Promise<void>) => {
  const running = await runningPostgres(dataDir)
  if (running) return work(running.superuser)
  const postgres = await startPostgres({ dataDir, archive: walArchive })
  try {
    await work(postgres.superuser)
  } finally {
    await postgres.stop()
  }
}

/** `npm run backup -- DIR`: copies database and images of a running or stopped server into a new directory. */
await finish(async () => {
  const settings = settingsFrom(process.env)
  const { dataDir, databaseUrl } = settings
  if (!process.argv[2]) throw new StartError('npm run backup -- DIR   DIR must not exist or be empty')
  if (databaseUrl)
    throw new StartError(
      'The database at DATABASE_URL is backed up with its own tools (pg_dump, pg_basebackup), and DATA_DIR/media by copying it: docs/operations.md.',
    )
  const to = resolve(process.argv[2])
  if (existsSync(to) && (await readdir(to)).length)
    throw new StartError(`${to} is not empty: give the backup a new directory.`)
  if (!existsSync(join(dataDir, 'postgres'))) throw new StartError(`There is no database below ${dataDir}.`)
  const draft = `${to}.part`
  if (existsSync(draft)) throw new StartError(`${draft} is left from an interrupted backup. Remove it first.`)
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await onCluster(settings, (connection) =>
    backUpCluster(realpathSync(join(dataDir, 'postgres')), connection, join(draft, 'postgres')),
  )
  // Images after the database: an image is written before its row, so every image that the backup refers to is copied.
  await copyTree(join(dataDir, 'media'), join(draft, 'media'), () => true)
  await rename(draft, to)
  await noteBackup(dataDir)
  say(`✓ ${to}`)
  say("The backup does not contain the installation's key: keep a copy of it elsewhere (docs/key.md).")
})
