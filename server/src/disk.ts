import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from './settings.ts'

/** What is kept free for the database itself: it stops where it cannot write its log, and with it every reader. */
export const RESERVE_BYTES = 64 * 1024 * 1024
const LOOK_EVERY_MS = 500

export const freeBytes = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
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
