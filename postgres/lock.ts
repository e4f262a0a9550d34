import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresError } from './error.ts'
import { identity } from './process.ts'

const readOr = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const isOwnerAlive = (content: string): boolean => {
  const [pid = '', ...rest] = content.trim().split(' ')
  return identity(Number(pid)) === rest.join(' ')
}

/** Whether a running Tallyroom uses this data directory. */
export const isInUse = (dataDir: string): boolean => {
  const content = readOr(join(dataDir, 'tallyroom.lock'))
  return content !== undefined && isOwnerAlive(content)
}

/** Removes the lock of a dead process; if it turns out to be another's fresh lock, puts it back. */
const clearStale = (file: string, seen: string) => {
  const aside = `${file}.stale-${randomBytes(4).toString('hex')}`
  try {
    renameSync(file, aside)
    if (readOr(aside) !== seen) linkSync(aside, file)
  } catch {
    // Another process removed or took it: the next attempt decides.
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Allows one Tallyroom for each data directory. PostgreSQL protects its own files, but a second Tallyroom would take over
 * the first one's database and stop it. The lock of a dead process does not count.
 * Returns a function that releases the lock. @throws PostgresError when another process holds it, or the disk is full
 */
export const takeLock = (dataDir: string): (() => void) => {
  const file = join(dataDir, 'tallyroom.lock')
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  const mine = `${process.pid} ${identity(process.pid)}\n`
  try {
    // A hard link appears with its content, and only if there is none yet: nobody can read half a lock.
    writeFileSync(draft, mine, { mode: 0o600 })
    for (;;) {
      try {
        linkSync(draft, file)
        return () => {
          if (readOr(file) === mine) rmSync(file, { force: true })
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const content = readOr(file)
      if (content === undefined) continue
      if (isOwnerAlive(content)) {
        throw new PostgresError(
          `Another Tallyroom (process ${content.split(' ')[0]}) is using ${dataDir}. Stop it first, or give this one its own directory with DATA_DIR=…`,
        )
      }
      clearStale(file, content)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    throw new PostgresError(`The disk of ${dataDir} is full. Free some space, then start Tallyroom again.`)
  } finally {
    rmSync(draft, { force: true })
  }
}
