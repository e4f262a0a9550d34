import { chmodSync, chownSync, mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { PostgresError } from './error.ts'
import { canEnter } from './data-dir.ts'
import type { Owner } from './process.ts'

// PostgreSQL runs both commands in a shell and replaces %f, %p and %%: the name and the path of a WAL file.
const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`

/**
 * Archives a finished WAL file: whole or not at all, and never a different one under the same name. Called again for an
 * archived file, after a crash, it succeeds when the file is the same.
 */
export const keepCommand = (archive: string): string =>
  `to=${quoted(archive)}/%f.gz; if test -f "$to"; then gunzip -c "$to" | cmp -s - "%p"; ` +
  `else gzip -1 -c "%p" > "$to.part" && sync "$to.part" && mv "$to.part" "$to"; fi`

export const fetchCommand = (archive: string): string =>
  `from=${quoted(archive)}/%f.gz; test -f "$from" && gunzip -c "$from" > "%p"`

/** Makes the archive directory for the owner of the database. @throws PostgresError when the owner cannot write there */
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
