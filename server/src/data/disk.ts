import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'

/** What is kept free for the database itself: it stops where it cannot write its log, and with it every reader. */
export const RESERVE_BYTES = 64 * 1024 * 1024
const LOOK_EVERY_MS = 500

export const freeBytes = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

/** Takes from everyone else what rights they have to a directory of ours. */
const close = (path: string): boolean => {
  const { mode, uid } = statSync(path)
  // Somebody else's directory is not ours to change, and a sticky one such as /tmp is for everyone.
  if ((mode & 0o077) === 0 || (mode & 0o1000) !== 0 || uid !== process.getuid?.()) return false
  chmodSync(path, 0o700)
  return true
}

/**
 * Makes DATA_DIR and its images ours alone, also those that an earlier version left readable. With our own database DATA_DIR
 * itself is `prepareDataDir`'s: the uid that runs PostgreSQL for root has to pass through it.
 */
export const closeDataDir = ({ dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>) => {
  const media = join(dataDir, 'media')
  mkdirSync(media, { recursive: true, mode: 0o700 })
  if (databaseUrl) close(dataDir)
  // The directories in a closed one were made closed.
  if (close(media)) for (const name of readdirSync(media)) close(join(media, name))
}

export type Disk = { isFull(): boolean; stop(): void }

/** Whether the disk of our own database is as good as full; of one elsewhere only that one can know. */
export const watchDisk = ({ dataDir, databaseUrl }: Settings, log: Pick<Logger, 'error' | 'warn'>): Disk => {
  let isFull = false
  const look = async () => {
    const free = await freeBytes(join(dataDir, 'postgres')).catch(() => freeBytes(dataDir))
    if (free < RESERVE_BYTES === isFull) return
    isFull = !isFull
    if (isFull) log.error({ free }, 'the disk of the database is full: nothing is written until there is room')
    else log.warn({ free }, 'the disk of the database has room again')
  }
  const timer = databaseUrl ? undefined : setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref()
  return { isFull: () => isFull, stop: () => clearInterval(timer) }
}
