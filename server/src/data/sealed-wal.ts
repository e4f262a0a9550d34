import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Archiver } from '@tallyroom/postgres'
import type { Settings } from '../config/settings.ts'
import { backupKey } from '../config/backup-key.ts'
import { serverPath } from '../paths.ts'
import { BackupKeyError, checkKey, openSealed, sealFiles } from './sealed-files.ts'

/** Files of an encrypted archive: compressed, then encrypted as backups are, with the name of the file inside. */
const ENDING = '.gz.encrypted'
/** In the environment of our own PostgreSQL, for the program that it starts for each file. */
const KEY = 'TALLYROOM_ARCHIVE_KEY'

type WalFile = { archive: string; name: string; path: string; key: Buffer }

const readPlain = async (archive: string, name: string) =>
  promisify(gunzip)(await readFile(join(archive, `${name}.gz`)))

/** @throws StartError when the key is wrong, or the file is not whole or another one */
const readSealed = async (archive: string, name: string, key: Buffer) => {
  const parts: Buffer[] = []
  await openSealed(join(archive, name + ENDING), key, {
    directory: () => Promise.resolve(),
    file: (path) => {
      if (path !== name) throw new Error(`${name}${ENDING} holds ${path}: it was renamed`)
      return async (part) => void (part && parts.push(part))
    },
  })
  return promisify(gunzip)(Buffer.concat(parts))
}

/** The archived file; undefined when the archive has none. Files from before the archive was encrypted are read too. */
const readArchived = async ({ archive, name, key }: Omit<WalFile, 'path'>): Promise<Buffer | undefined> => {
  if (existsSync(join(archive, name + ENDING))) return await readSealed(archive, name, key)
  return existsSync(join(archive, `${name}.gz`)) ? await readPlain(archive, name) : undefined
}

/**
 * Archives a finished WAL file: whole or not at all, and never a different one under the same name. Called again for an
 * archived file, after a crash, it succeeds when the file is the same.
 */
const keep = async ({ archive, name, path, key }: WalFile): Promise<void> => {
  const content = await readFile(path)
  const there = await readArchived({ archive, name, key })
  if (there?.equals(content)) return
  if (there) throw new Error(`The archive has another ${name}`)
  const to = join(archive, name + ENDING)
  const draft = `${to}.part`
  await rm(draft, { force: true })
  const packed = await promisify(gzip)(content, { level: 1 })
  await sealFiles(draft, key, async (target) => void (await target.content(name, packed)))
  await rename(draft, to)
}

/** @returns the exit code that PostgreSQL expects */
const fetchTo = async ({ archive, name, path, key }: WalFile): Promise<number> => {
  // An archive that the user of the database cannot enter would look empty.
  await access(archive, constants.X_OK)
  const content = await readArchived({ archive, name, key })
  if (!content) return 1
  await writeFile(path, content)
  return 0
}

/** PostgreSQL takes a lower one for the end of the archive, and would go on without what follows. */
const UNREADABLE = 200

/** The program that PostgreSQL starts for each file. */
export const runArchiver = async ([what, archive = '', name = '', path = '']: string[], env: NodeJS.ProcessEnv) => {
  if (what === 'check') return 0
  try {
    const file = { archive, name, path, key: Buffer.from(env[KEY] ?? '', 'hex') }
    if (what === 'fetch') return await fetchTo(file)
    await keep(file)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return UNREADABLE
  }
}

const archiverWith = (key: Buffer): Archiver => ({
  // The built one, also for a server that runs from the source: from there each file would take a second.
  command: [process.execPath, serverPath('dist/archive-file.js')],
  env: { [KEY]: key.toString('hex') },
  id: createHash('sha256').update('tallyroom/archive/v1').update(key).digest('hex').slice(0, 12),
})

/** How the embedded database runs in this environment: its programs, and how it archives. @throws StartError */
export const postgresOptions = (
  { walArchive, postgresBin }: Pick<Settings, 'walArchive' | 'postgresBin'>,
  env: NodeJS.ProcessEnv,
): { programs: string | undefined; archive: string | undefined; archiver: Archiver | undefined } => {
  const key = walArchive ? backupKey(env) : undefined
  return { programs: postgresBin, archive: walArchive, archiver: key && archiverWith(key) }
}

/** How this archive is read. @throws BackupKeyError when it is encrypted and the key is missing or another one */
export const readerOf = async (archive: string | undefined, key: Buffer | undefined): Promise<Archiver | undefined> => {
  if (!archive) return undefined
  const sealed = (await readdir(archive).catch(() => [])).filter((name) => name.endsWith(ENDING)).toSorted()
  const newest = sealed.at(-1)
  if (newest === undefined) return undefined
  if (!key)
    throw new BackupKeyError(
      `${archive} is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE to the key that it was written with.`,
    )
  await checkKey(join(archive, newest), key)
  return archiverWith(key)
}
