import { chmodSync, chownSync, mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { PostgresError } from './error.ts'
import { canEnter } from './data-dir.ts'
import { type Owner, run } from './process.ts'

// PostgreSQL runs both commands in a shell and replaces %f, %p and %%: the name and the path of a WAL file.
const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`

/**
 * A program that archives WAL files instead of gzip, and fetches them. It is called with `keep` or `fetch`, the archive, the
 * name of the file and its path; `check` alone does nothing, and shows that the program can be started. It exits as
 * PostgreSQL expects: with 1 when the archive has no such file, and above 125 when it has one that cannot be read.
 */
export type Archiver = {
  command: string[]
  env: Record<string, string>
  /** Changes with `env`, which PostgreSQL's settings do not show. */
  id: string
}

const callOf = ({ command, id }: Archiver, what: 'keep' | 'fetch', archive: string) =>
  `${command.map(quoted).join(' ')} ${what} ${quoted(archive)} "%f" "%p" ${quoted(id)}`

/**
 * Archives a finished WAL file: whole or not at all, and never a different one under the same name. Called again for an
 * archived file, after a crash, it succeeds when the file is the same.
 */
export const keepCommand = (archive: string, archiver?: Archiver): string =>
  archiver ? callOf(archiver, 'keep', archive) : gzipCommand(archive)
const gzipCommand = (archive: string) =>
  `to=${quoted(archive)}/%f.gz; if test -f "$to"; then gunzip -c "$to" | cmp -s - "%p"; ` +
  `else gzip -1 -c "%p" > "$to.part" && sync "$to.part" && mv "$to.part" "$to"; fi`

export const fetchCommand = (archive: string, archiver?: Archiver): string =>
  archiver ? callOf(archiver, 'fetch', archive) : gunzipCommand(archive)
// An exit code up to 125 means that the archive ends there.
const gunzipCommand = (archive: string) =>
  `from=${quoted(archive)}/%f.gz; test -x ${quoted(archive)} || exit 200; test -f "$from" || exit 1; ` +
  `gunzip -c "$from" > "%p" || exit 200`

/** @throws PostgresError when the owner of the database cannot start the program */
export const checkArchiver = async ({ command: [program = '', ...args] }: Archiver, owner: Owner): Promise<void> => {
  const { code, output } = await run(program, [...args, 'check'], owner)
  if (code === 0) return
  throw new PostgresError(
    `WAL_ARCHIVE: the database ${owner ? `(uid ${owner.uid}) ` : ''}cannot start ${[program, ...args].join(' ')}, which encrypts the archive: ${output.trim().split('\n').at(-1)}`,
  )
}

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
