import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { appendFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PostgresError } from './error.ts'
import { fetchCommand } from './archive.ts'
import { copyTree } from './backup.ts'
import { chownTree, locate, prepareDataDir, remember } from './data-dir.ts'

export type RestoreTarget = {
  /** The directory of the backup. */
  from: string
  dataDir: string
  /** The directory of archived WAL files, for changes after the backup. */
  archive: string | undefined
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

/**
 * Restores a backup into an empty directory. The next start replays the WAL, up to `until`, and is a normal start from
 * then on. Killed half-way, it can be run again.
 * @throws PostgresError
 */
export const putBack = async (
  { from, dataDir, archive, until }: RestoreTarget,
  log: (line: string) => void,
): Promise<void> => {
  if (!existsSync(join(from, 'postgres/backup_label'))) throw new PostgresError(`There is no backup in ${from}.`)
  prepareDataDir(dataDir)
  if (lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }))
    throw new PostgresError(`${dataDir} has a database already. Restore into a new directory, or move that one away.`)
  const place = locate(dataDir, log)
  const draft = join(place.home, `postgres.draft-${randomBytes(4).toString('hex')}`)
  await copyTree(join(from, 'postgres'), draft, () => true)
  // Even without an archive: the WAL then continues on a new timeline and is not mistaken for the first one's.
  await writeFile(join(draft, 'recovery.signal'), '')
  const settings = [
    line('restore_command', archive ? fetchCommand(archive) : 'false'),
    until ? line('recovery_target_time', timeFor(until)) : '',
    line('recovery_target_action', 'promote'),
    // Nobody can connect before it is done.
    line('hot_standby', 'off'),
  ]
  await appendFile(join(draft, 'postgresql.auto.conf'), settings.join(''))
  chownTree(draft, place.owner)
  await rename(draft, place.cluster)
  remember(dataDir, place)
}
