import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { connect, forbidNesting, type Tx } from '../data/sql.ts'
import { APP, OWNER } from '@tallyroom/postgres/roles'

forbidNesting()

/** What pg.Pool and pg.Client take. */
export type TestConnection = { host: string; port: number; user: string; database: string; password?: string }

const { url, template, prefix, hasRoles } = inject('postgres')
/** The roles of the own database are there: not on a PostgreSQL that was brought along. */
export const databaseHasRoles = hasRoles
const made: string[] = []
let shared: Promise<TestConnection> | undefined

const server = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A new database with the whole schema and nothing in it, for this test alone; gone after the file. As the program serves. */
export const freshDatabase = (): Promise<TestConnection> =>
  server(async (client) => {
    const database = `${prefix}${randomBytes(5).toString('hex')}`
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${template}`)
    made.push(database)
    const { host, port, user, password } = client
    return { host, port, user: hasRoles ? APP : (user ?? ''), database, ...(password ? { password } : {}) }
  })

/** The same database as the role that migrates it. */
export const ownerOf = (config: TestConnection): TestConnection => (hasRoles ? { ...config, user: OWNER } : config)

/** The same database as one who may do all, for what a test does behind the program's back. */
export const superuserOf = (config: TestConnection): TestConnection => ({
  ...config,
  user: decodeURIComponent(new URL(url).username),
})

/** Does what the program may not: as one who has the database itself, in a transaction, without triggers. */
export const behindItsBack = async <T>(work: (tx: Tx) => Promise<T>, config?: TestConnection): Promise<T> => {
  const db = connect({ ...superuserOf(config ?? (await testDatabase())), max: 1 })
  try {
    return await db.transact(async (tx) => {
      await tx.query('set local session_replication_role = replica', [])
      return work(tx)
    })
  } finally {
    await db.end()
  }
}

/** The address of a test database, for a program that takes only that. */
export const migratedUrl = ({ host, port, user, database, password = '' }: TestConnection): string =>
  `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`

/** The database of this test file: the same one at every call. Tests make their own families in it instead of emptying it. */
export const testDatabase = (): Promise<TestConnection> => (shared ??= freshDatabase())

const closings: (() => unknown)[] = []
/**
 * To be called after the file's tests, the last one first and before the databases go. (A hook that is made inside of another
 * hook or a test is never run: what stays open then keeps the runner waiting.)
 */
export const whenDone = (close: () => unknown) => closings.push(close)

// Registered when the file imports us, so it runs last, after the file's own afterAll has closed its pools.
afterAll(async () => {
  for (const close of closings.splice(0).reverse()) await close()
  if (made.length === 0) return
  await server(async (client) => {
    // A pool that nobody closed keeps its database; the end of the run clears it away.
    for (const database of made) await client.query(`DROP DATABASE IF EXISTS ${database}`).catch(() => undefined)
  })
})
