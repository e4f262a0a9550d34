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

const isStillHeld = (content: string): boolean => {
  const [pid = '', ...rest] = content.trim().split(' ')
  return identity(Number(pid)) === rest.join(' ')
}

/** Is a Tallyroom that lives using this data directory? */
export const isInUse = (dataDir: string): boolean => {
  const held = readOr(join(dataDir, 'tallyroom.lock'))
  return held !== undefined && isStillHeld(held)
}

/** Puts the lock of a dead process away; when someone else was quicker, gives him his own back. */
const clearStale = (file: string, seen: string) => {
  const aside = `${file}.stale-${randomBytes(4).toString('hex')}`
  try {
    renameSync(file, aside)
    if (readOr(aside) !== seen) linkSync(aside, file)
  } catch {
    // Somebody else cleared it, or took it again: the next look decides.
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * One Tallyroom per data directory. PostgreSQL guards its own files, but a second Tallyroom would adopt the first
 * one's database and stop it under its feet. The lock of a process that is gone does not count.
 * Returns how to give it back. @throws PostgresError when another one holds it
 */
export const takeLock = (dataDir: string): (() => void) => {
  const file = join(dataDir, 'tallyroom.lock')
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  const mine = `${process.pid} ${identity(process.pid)}\n`
  // A hard link appears with its content in it, and only where there is none: nobody ever reads half a lock.
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(draft, file)
        return () => {
          if (readOr(file) === mine) rmSync(file, { force: true })
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const held = readOr(file)
      if (held === undefined) continue
      if (isStillHeld(held)) {
        throw new PostgresError(
          `Another Tallyroom (process ${held.split(' ')[0]}) is using ${dataDir}. Stop it first, or give this one its own directory with DATA_DIR=…`,
        )
      }
      clearStale(file, held)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}
