import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Beside the database and not in it: a restored database would name the backup before the one it came from. */
const fileOf = (dataDir: string) => join(dataDir, 'last-backup')

export const noteBackup = (dataDir: string): Promise<void> =>
  writeFile(fileOf(dataDir), `${new Date().toISOString()}\n`)

/** Whether `npm run backup` has ever finished on this data directory. */
export const wasBackedUp = async (dataDir: string): Promise<boolean> =>
  (await readFile(fileOf(dataDir), 'utf8').catch(() => '')) !== ''
