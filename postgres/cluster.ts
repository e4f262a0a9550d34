import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { PostgresError } from './error.ts'
import type { Programs } from './binaries.ts'
import type { DataDir } from './data-dir.ts'
import { run } from './process.ts'
import { SUPERUSER } from './roles.ts'

/** The name of our one database. */
export const NAME = 'tallyroom'

const syncDirectory = (path: string) => {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/**
 * Makes an empty cluster in a temporary directory and moves it into place when it is complete and on disk: killed at any
 * moment, the next start finds nothing or all of it.
 */
export const createCluster = async ({ cluster, home, owner }: DataDir, { bin, major }: Programs, durable: boolean) => {
  for (const name of readdirSync(home)) {
    // An initdb whose parent was killed goes on writing for a moment, so a folder that was emptied is not empty.
    if (name.startsWith('postgres.draft-'))
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  const draft = join(home, `postgres.draft-${randomBytes(4).toString('hex')}`)
  mkdirSync(draft, { mode: 0o700 })
  if (owner) chownSync(draft, owner.uid, owner.gid)
  chmodSync(draft, 0o700)
  // The same order of letters in each release, whatever the system's: the provider is known from 17 on.
  const locale =
    Number(major) >= 17
      ? ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
      : ['--encoding=UTF8', '--locale-provider=libc', '--lc-collate=C', '--lc-ctype=C.UTF-8']
  const options = ['--pgdata', draft, '--username', SUPERUSER, '--auth=trust', '--no-instructions', ...locale]
  if (!durable) options.push('--no-sync')
  const { code, output } = await run(join(bin, 'initdb'), options, owner)
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true })
    if (/could not look up effective user ID/.test(output)) {
      throw new PostgresError(
        `PostgreSQL runs only for a user with a name, and uid ${owner?.uid ?? process.getuid?.()} has none in /etc/passwd. Start Tallyroom as a user who has one, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      )
    }
    const reason = output.match(/(?:error|FATAL|PANIC): .*/g)?.at(-1) ?? output.trim().split('\n').at(-1)
    throw new PostgresError(
      `The built-in PostgreSQL cannot make its database in ${home}: ${reason}. Mend that, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
  renameSync(draft, cluster)
  if (durable) syncDirectory(home)
}

/** @throws PostgresError when the directory is not a database, or one of another PostgreSQL version */
export const inspectCluster = ({ cluster }: DataDir, major: string) => {
  const version = join(cluster, 'PG_VERSION')
  if (!existsSync(version) || !existsSync(join(cluster, 'global/pg_control'))) {
    throw new PostgresError(
      `The database in ${cluster} is damaged: files of it are missing. Put back a backup, or move that directory away to begin with an empty database.`,
    )
  }
  const found = readFileSync(version, 'utf8').trim()
  if (found !== major) {
    throw new PostgresError(
      `The database in ${cluster} was made by PostgreSQL ${found}, and this is PostgreSQL ${major}. Carry it over: npm run database -- upgrade (docs/operations/database.md).`,
    )
  }
}
