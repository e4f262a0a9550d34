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

export type DiskWatch = { isFull(): boolean; stop(): void }

/** Tells whether the disk of our own database is nearly full. For a database elsewhere `isFull` is always false. */
export const watchDisk = ({ dataDir, databaseUrl }: Settings, log: Pick<Logger, 'error' | 'warn'>): DiskWatch => {
  let isFull = false
  const check = async () => {
    const free = await freeBytes(join(dataDir, 'postgres')).catch(() => freeBytes(dataDir))
    if (free < RESERVED_BYTES === isFull) return
    isFull = !isFull
    if (isFull) log.error({ free }, 'The disk of the database is full. Writes are refused until space is free')
    else log.warn({ free }, 'The disk of the database has free space again. Writes work')
  }
  const timer = databaseUrl ? undefined : setInterval(() => void check().catch(() => {}), CHECK_EVERY_MS).unref()
  return { isFull: () => isFull, stop: () => clearInterval(timer) }
}
