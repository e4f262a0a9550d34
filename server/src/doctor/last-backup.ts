import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Beside the database and not in it: a restored database would name the backup before the one it came from. */
const noteIn = (name: string) => (dataDir: string) => writeFile(join(dataDir, name), `${new Date().toISOString()}\n`)
const readIn = (name: string) => async (dataDir: string) => {
  const at = new Date((await readFile(join(dataDir, name), 'utf8').catch(() => '')).trim())
  return Number.isNaN(at.getTime()) ? undefined : at
}

export const noteBackup: (dataDir: string) => Promise<void> = noteIn('last-backup')
/** When `npm run backup` last finished on this data directory. */
export const lastBackup: (dataDir: string) => Promise<Date | undefined> = readIn('last-backup')
export const noteDrill: (dataDir: string) => Promise<void> = noteIn('last-drill')
/** When `npm run drill` last found nothing wrong. */
export const lastDrill: (dataDir: string) => Promise<Date | undefined> = readIn('last-drill')
