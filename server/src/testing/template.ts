import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../data/migrate.ts'
import { isInUse } from '@tallyroom/postgres/lock'
import { APP, OWNER, prepareRoles } from '@tallyroom/postgres/roles'
import { startPostgres } from '@tallyroom/postgres'

/** A migrated database that tests copy, and its PostgreSQL. It is plain data, so that other processes can receive it. */
export type Template = {
  /** The URL for the superuser. */
  url: string
  template: string
  /** The name prefix of this run's databases. */
  prefix: string
  /** False on a PostgreSQL from TEST_DATABASE_URL, which has no roles for serving and migrating. */
  hasRoles: boolean
}
/** The settings for pg.Pool and pg.Client. */
export type TestConnection = { host: string; port: number; user: string; database: string; password?: string }

/** In memory if possible: a database for a test file takes 18 ms there and 200 ms on a disk. */
const memory = statSync('/dev/shm', { throwIfNoEntry: false })?.isDirectory() ? '/dev/shm' : tmpdir()
const name = 'tallyroom-tests-pg-'

/** A killed run could not clean up, and its databases hold memory. */
const removeLeftovers = async () => {
  for (const found of readdirSync(memory).filter((entry) => entry.startsWith(name))) {
    const dataDir = join(memory, found)
    try {
      // A directory without a lock may belong to a run that is just starting.
      if (!existsSync(join(dataDir, 'tallyroom.lock')) || isInUse(dataDir)) continue
      await (await startPostgres({ dataDir, durable: false })).stop()
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // It belongs to another user, or another run is removing it.
    }
  }
}

const startServer = async () => {
  const outside = process.env.TEST_DATABASE_URL
  if (outside) return { url: outside, stop: () => Promise.resolve() }
  await removeLeftovers()
  const dataDir = mkdtempSync(join(memory, name))
  const { url, stop } = await startPostgres({ dataDir, durable: false })
  return { url, stop: () => stop().finally(() => rmSync(dataDir, { recursive: true, force: true })) }
}

/** Installations of tests are up to 100 MB each, and a few are there at once. */
const hasSpace = (path: string) => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize > 4 * 2 ** 30
}

/**
 * What a run leaves in the directory for temporary files goes with the run: workers and their programs inherit this one. In
 * memory if possible: installations of tests, their backups and restores wait for each of a thousand files to be on disk.
 */
const ownTemporaryFiles = () => {
  const folder = mkdtempSync(join(hasSpace(memory) ? memory : tmpdir(), 'tallyroom-tests-'))
  // As /tmp itself: the database of a test that runs as root runs as another user.
  chmodSync(folder, 0o1777)
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  return () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Starts one PostgreSQL for a whole run, with one migrated database; `fill` adds rows that every copy begins with. */
export const startTemplate = async (
  fill: (database: pg.ClientConfig) => Promise<unknown> = async () => {},
): Promise<Template & { stop: () => Promise<void> }> => {
  const { url, stop } = await startServer()
  const removeFiles = ownTemporaryFiles()
  const prefix = `test_${process.pid}_${Date.now().toString(36)}_`
  const template = `${prefix}template`
  await withClient(url, (client) => client.query(`CREATE DATABASE ${template}`))
  const address = new URL(url)
  address.pathname = `/${template}`
  // A PostgreSQL given by TEST_DATABASE_URL gets no roles: there the tests connect as the given user.
  const hasRoles = !process.env.TEST_DATABASE_URL
  if (hasRoles) await prepareRoles({ connectionString: address.href })
  const owner = new URL(address)
  if (hasRoles) owner.username = OWNER
  await migrate({ connectionString: owner.href }, { app: hasRoles ? APP : undefined })
  await fill({ connectionString: address.href })
  return {
    url,
    template,
    prefix,
    hasRoles,
    stop: async () => {
      if (process.env.TEST_DATABASE_URL) await withClient(url, (client) => dropAll(client, prefix))
      await stop().finally(removeFiles)
    },
  }
}

/** Removes the run's databases when the PostgreSQL outlives the run. */
const dropAll = async (client: pg.Client, prefix: string) => {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname}`)
}

/** A new copy of the template, connected as the serving role. */
export const copyTemplate = ({ url, template, prefix, hasRoles }: Template): Promise<TestConnection> =>
  withClient(url, async (client) => {
    const database = `${prefix}${randomBytes(5).toString('hex')}`
    // Half the processor time of the usual way, which writes every page to the WAL.
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`)
    const { host, port, user, password } = client
    return { host, port, user: hasRoles ? APP : (user ?? ''), database, ...(password ? { password } : {}) }
  })

/** Drops copies. One with open connections stays until the run ends. */
export const dropCopies = ({ url }: Template, copies: TestConnection[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const { database } of copies) await client.query(`DROP DATABASE IF EXISTS ${database}`).catch(() => undefined)
  })

/** The same database as the role that migrates. */
export const ownerConfig = ({ hasRoles }: Template, config: TestConnection): TestConnection =>
  hasRoles ? { ...config, user: OWNER } : config

/** The same database as superuser, for changes that the program itself cannot make. */
export const superuserConfig = ({ url }: Template, config: TestConnection): TestConnection => ({
  ...config,
  user: decodeURIComponent(new URL(url).username),
})

/** The URL of a test database, for programs that take only a URL. */
export const addressOf = ({ host, port, user, database, password = '' }: TestConnection): string =>
  `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
