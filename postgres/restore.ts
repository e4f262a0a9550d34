import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { appendFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PostgresError } from './error.ts'
import { type Archiver, fetchCommand } from './archive.ts'
import { copyTree } from './backup.ts'
import { isInUse } from './lock.ts'
import { chownTree, locate, prepareDataDir, remember } from './data-dir.ts'

/** The database's part of a backup. */
export type BackupSource = {
  /** For messages. */
  name: string
  isThere: boolean
  copyTo(to: string): Promise<unknown>
}
export const directorySource = (from: string): BackupSource => ({
  name: from,
  isThere: existsSync(join(from, 'postgres/backup_label')),
  copyTo: (to) => copyTree(join(from, 'postgres'), to, () => true),
})

export type RestoreTarget = {
  /** The backup, or its directory. */
  from: string | BackupSource
  dataDir: string
  /** The directory of archived WAL files, for changes after the backup. */
  archive: string | undefined
  /** Without one, gzip reads them. */
  archiver?: Archiver | undefined
  /** Restores nothing that was committed later; undefined: everything. */
  until: Date | undefined
}

/** A value for postgresql.conf, where quotes are doubled. */
const line = (name: string, value: string) => `${name} = '${value.replaceAll("'", "''")}'\n`

/** A time for postgresql.conf, which is read before names of zones such as Z are known. */
const timeFor = (time: Date) => time.toISOString().replace('T', ' ').replace('Z', '+00')

const SETTINGS = ['restore_command', 'recovery_target_time', 'recovery_target_action', 'hot_standby']

/** Removes the settings of the restore when it is done. */
export const afterRestore = SETTINGS.map((name) => `alter system reset ${name}`)

const hasLog = (archive: string): boolean => {
  try {
    return readdirSync(archive).some((name) => /^[0-9A-F]{24}\b/.test(name))
  } catch {
    return false
  }
}

/**
 * Restores a backup into an empty directory. The next start replays the WAL, up to `until`, and is a normal start from
 * then on. Killed half-way, it can be run again.
 * @throws PostgresError
 */
export const putBack = async (
  { from, dataDir, archive, archiver, until }: RestoreTarget,
  log: (line: string) => void,
): Promise<void> => {
  const source = typeof from === 'string' ? directorySource(from) : from
  if (!source.isThere) throw new PostgresError(`There is no backup in ${source.name}.`)
  // PostgreSQL takes a directory without such files for an archive that has ended, and stops at the backup's end.
  if (archive && !hasLog(archive))
    throw new PostgresError(
      `There is no file of the database's log in ${archive}. Name the directory of WAL_ARCHIVE, or leave --archive out to restore the backup alone.`,
    )
  prepareDataDir(dataDir)
  if (lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }))
    throw new PostgresError(`${dataDir} has a database already. Restore into a new directory, or move that one away.`)
  const located = locate(dataDir, log)
  const draft = join(located.home, `postgres.draft-${randomBytes(4).toString('hex')}`)
  await source.copyTo(draft).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    throw error
  })
  // Even without an archive: the WAL then continues on a new timeline and is not mistaken for the first one's.
  await writeFile(join(draft, 'recovery.signal'), '')
  const settings = [
    line('restore_command', archive ? fetchCommand(archive, archiver) : 'false'),
    until ? line('recovery_target_time', timeFor(until)) : '',
    line('recovery_target_action', 'promote'),
    // Nobody can connect before it is done.
    line('hot_standby', 'off'),
  ]
  await appendFile(join(draft, 'postgresql.auto.conf'), settings.join(''))
  chownTree(draft, located.owner)
  await rename(draft, located.cluster)
  remember(dataDir, located)
}

/** What PostgreSQL says when it cannot stop where it should. */
const remedies: [said: RegExp, remedy: string][] = [
  [
    /recovery stop point is before consistent recovery point/,
    'The backup ended after the time of --until. Take an older backup, or a later --until.',
  ],
  [
    /recovery ended before configured recovery target was reached/,
    'Nothing was written after the time of --until, or the archive lacks what was. Take an earlier --until, or leave it out to restore everything that there is.',
  ],
]

/**
 * Runs what completes a restore, the start that replays the log. When that fails, the restored database is removed: it is
 * of no use, and would be in the way of another try. @throws PostgresError
 */
export const completeRestore = async <T>(dataDir: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    // Started by somebody else meanwhile, it is theirs.
    if (isInUse(dataDir)) throw error
    await removeDatabase(dataDir)
    const words = error instanceof Error ? error.message : ''
    const remedy = remedies.find(([said]) => said.test(words))?.[1]
    throw remedy === undefined ? error : new PostgresError(`${remedy} ${dataDir} has no database now.`)
  }
}

const removeDatabase = async (dataDir: string) => {
  const entry = join(dataDir, 'postgres')
  const cluster = realpathSync(entry)
  // Outside of DATA_DIR, the directory around it was made for it.
  const isInside = dirname(cluster) === realpathSync(dataDir)
  await rm(isInside ? cluster : dirname(cluster), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  await rm(entry, { force: true })
}
