import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { appendFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PostgresError } from './error.ts'
import { fetchCommand } from './archive.ts'
import { copyTree } from './backup.ts'
import { chownTree, locate, prepareDataDir, remember } from './data-dir.ts'

export type RestoreTarget = {
  /** The directory that a backup has made. */
  from: string
  dataDir: string
  /** The finished files of the log, for what came after the backup. */
  archive: string | undefined
  /** Nothing that was committed later; undefined: all that there is. */
  until: Date | undefined
}

/** Of postgresql.conf, where a quote is doubled. */
const line = (name: string, value: string) => `${name} = '${value.replaceAll("'", "''")}'\n`

/** It is read before names of zones are known, and Z is one. */
const timeFor = (time: Date) => time.toISOString().replace('T', ' ').replace('Z', '+00')

const SETTINGS = ['restore_command', 'recovery_target_time', 'recovery_target_action', 'hot_standby']

/** What takes back the settings of a restore, when it is over. */
export const afterRestore = SETTINGS.map((name) => `alter system reset ${name}`)

/**
 * Puts a backup where there is no database yet. The next start goes through the log, as far as it was told to, and is a normal
 * one from then on. Killed half-way, it leaves a place where one can begin again.
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
  // Even without an archive: its log then goes on under another number, and is not taken for that of the first one.
  await writeFile(join(draft, 'recovery.signal'), '')
  const settings = [
    line('restore_command', archive ? fetchCommand(archive) : 'false'),
    until ? line('recovery_target_time', timeFor(until)) : '',
    line('recovery_target_action', 'promote'),
    // Nobody comes in before it is done.
    line('hot_standby', 'off'),
  ]
  await appendFile(join(draft, 'postgresql.auto.conf'), settings.join(''))
  chownTree(draft, place.owner)
  await rename(draft, place.cluster)
  remember(dataDir, place)
}
