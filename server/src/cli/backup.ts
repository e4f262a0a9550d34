import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backUpCluster, copyTree } from '@tallyroom/postgres/backup'
import type { Connection } from '@tallyroom/postgres/postmaster'
import { runningPostgres, startPostgres } from '@tallyroom/postgres'
import { type Settings, settingsFrom } from '../config/settings.ts'
import { StartError } from '../lib/start-error.ts'
import { finish } from './database.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Of a running house beside it; of one that stands still its database is started for it, but not changed. */
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

/** `npm run backup -- DIR`: database and images, of a house that runs or stands still, into a new directory. */
await finish(async () => {
  const settings = settingsFrom(process.env)
  const { dataDir, databaseUrl } = settings
  if (!process.argv[2]) throw new StartError('npm run backup -- DIR   where DIR is not there yet')
  if (databaseUrl)
    throw new StartError(
      'The database at DATABASE_URL is backed up with its own tools (pg_dump, pg_basebackup), and DATA_DIR/media by copying it: docs/operations.md.',
    )
  const to = resolve(process.argv[2])
  if (existsSync(to) && (await readdir(to)).length)
    throw new StartError(`${to} is not empty: give the backup a new directory.`)
  if (!existsSync(join(dataDir, 'postgres'))) throw new StartError(`There is no database below ${dataDir}.`)
  const draft = `${to}.part`
  if (existsSync(draft)) throw new StartError(`${draft} was left by a backup that did not end. Remove it first.`)
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await onCluster(settings, (connection) =>
    backUpCluster(realpathSync(join(dataDir, 'postgres')), connection, join(draft, 'postgres')),
  )
  // After the database, which then knows of no image that is not in it: an image is written before its row.
  await copyTree(join(dataDir, 'media'), join(draft, 'media'), () => true)
  await rename(draft, to)
  say(`✓ ${to}`)
  say('The key of the installation is not in it: keep it apart (docs/key.md).')
})
