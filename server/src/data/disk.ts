import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDirectory } from '@tallyroom/postgres/data-dir'
import { freeBytes, RESERVED_BYTES } from '@tallyroom/postgres/disk'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'

const CHECK_EVERY_MS = 500

/** Removes other users' rights to a directory of ours. */
const restrictToOwner = (path: string): boolean => {
  const { mode, uid } = statSync(path)
  // A directory of another user is not ours to change, and a sticky one such as /tmp is shared on purpose.
  if ((mode & 0o077) === 0 || (mode & 0o1000) !== 0 || uid !== process.getuid?.()) return false
  chmodSync(path, 0o700)
  return true
}

/** As root `npm run dev` has a database below it that runs as another user: at its next checkpoint it would stop. */
const isPassedThrough = (dataDir: string): boolean => {
  const cluster = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false })
  return cluster !== undefined && cluster.uid !== process.getuid?.()
}

/**
 * Removes other users' rights to DATA_DIR and its images, also to those that an earlier version left readable. With our
 * own database `prepareDataDir` handles DATA_DIR itself: the uid that runs PostgreSQL for root has to pass through it.
 */
export const restrictDataDir = ({ dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>) => {
  const media = join(dataDir, 'media')
  makeDirectory(resolve(media), 0o700)
  if (databaseUrl && !isPassedThrough(dataDir)) restrictToOwner(dataDir)
  // Directories below a closed one were made closed.
  if (restrictToOwner(media)) for (const name of readdirSync(media)) restrictToOwner(join(media, name))
}

/** Photos and files leave this much to the database: it could write a million transfers there. */
const LEFT_BY_FILES_BYTES = 8 * RESERVED_BYTES

/**
 * `isFull`: our own database has no space to write; always false for a database elsewhere. `isScarce`: photos and files
 * are refused so that points find space, on the disk of the database or of DATA_DIR.
 */
export type DiskWatch = { isFull(): boolean; isScarce(): boolean; stop(): void }

type Watched = Pick<Settings, 'dataDir' | 'databaseUrl' | 'media'>
export const watchDisk = (
  { dataDir, databaseUrl, media }: Watched,
  log: Pick<Logger, 'error' | 'warn'>,
  freeOf = freeBytes,
): DiskWatch => {
  let isFull = false
  let isScarce = false
  const warnOfFiles = (free: number) => {
    if (free < LEFT_BY_FILES_BYTES === isScarce) return
    isScarce = !isScarce
    if (isScarce) log.warn({ free }, 'The disk is nearly full. Photos and files are refused until space is free')
    else log.warn({ free }, 'The disk has free space again. Photos and files are taken')
  }
  const check = async () => {
    // Photos and files in S3 take none of this disk.
    const ofFiles = media.newGoTo === 's3' ? Infinity : await freeOf(dataDir)
    if (databaseUrl) return warnOfFiles(ofFiles)
    const free = await freeOf(join(dataDir, 'postgres')).catch(() => freeOf(dataDir))
    warnOfFiles(Math.min(free, ofFiles))
    if (free < RESERVED_BYTES === isFull) return
    isFull = !isFull
    if (isFull) log.error({ free }, 'The disk of the database is full. Writes are refused until space is free')
    else log.warn({ free }, 'The disk of the database has free space again. Writes work')
  }
  const timer = setInterval(() => void check().catch(() => {}), CHECK_EVERY_MS).unref()
  return { isFull: () => isFull, isScarce: () => isScarce, stop: () => clearInterval(timer) }
}
