import { chmodSync, chownSync, mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { PostgresError } from './error.ts'
import { canEnter } from './data-dir.ts'
import type { Owner } from './process.ts'

// PostgreSQL has both commands run by a shell, and reads %f, %p and %% in them: the name of a file of its log, and
// where it lies.
const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`

/**
 * Keeps a finished file of the log: whole or not at all, and never another one of the same name. Asked again for one
 * that is there, after a crash, it says yes when it is the same.
 */
export const keepCommand = (archive: string): string =>
  `to=${quoted(archive)}/%f.gz; if test -f "$to"; then gunzip -c "$to" | cmp -s - "%p"; ` +
  `else gzip -1 -c "%p" > "$to.part" && sync "$to.part" && mv "$to.part" "$to"; fi`

export const fetchCommand = (archive: string): string =>
  `from=${quoted(archive)}/%f.gz; test -f "$from" && gunzip -c "$from" > "%p"`

/** Makes the directory of the archive, for him who runs the database. @throws PostgresError when he cannot write there */
export const prepareArchive = (given: string, owner: Owner): string => {
  try {
    mkdirSync(given, { recursive: true })
    const archive = realpathSync(resolve(given))
    chmodSync(archive, 0o700)
    if (owner) chownSync(archive, owner.uid, owner.gid)
    if (canEnter(archive, owner)) return archive
  } catch (error) {
    throw new PostgresError(`WAL_ARCHIVE: cannot keep anything in ${given} (${(error as NodeJS.ErrnoException).code}).`)
  }
  throw new PostgresError(
    `WAL_ARCHIVE: the database runs as uid ${owner?.uid}, who cannot enter ${given}. Give everyone the right to pass through the directories above it (chmod o+x), or choose another one.`,
  )
}
