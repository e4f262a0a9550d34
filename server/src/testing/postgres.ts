import { inject } from 'vitest'
import { connect, type Database, forbidNesting, type Tx, withConnection } from '../data/sql.ts'
import { addressOf, ownerConfig, superuserConfig, copyTemplate, dropCopies, type TestConnection } from './template.ts'

forbidNesting()

export type { TestConnection }

const postgres = inject('postgres')
/** False on a PostgreSQL from TEST_DATABASE_URL, which has no roles for serving and migrating. */
export const databaseHasRoles = postgres.hasRoles
const made: TestConnection[] = []
let shared: Promise<TestConnection> | undefined

/** A new empty database with the whole schema, connected as the serving role; dropped after the file. */
export const freshDatabase = async (): Promise<TestConnection> => {
  const copy = await copyTemplate(postgres)
  made.push(copy)
  return copy
}

/** The same database as the role that migrates. */
export const ownerOf = (config: TestConnection): TestConnection => ownerConfig(postgres, config)

/** The same database as superuser, for changes that the program itself cannot make. */
export const superuserOf = (config: TestConnection): TestConnection => superuserConfig(postgres, config)

let superuser: Promise<Database> | undefined
/** Stays open for the file: opening a connection takes longer than most of the work. */
const superuserOnce = () =>
  (superuser ??= testDatabase().then((config) => {
    const db = connect({ ...superuserOf(config), max: 2 })
    whenDone(() => db.end())
    return db
  }))

const withoutTriggers = <T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transact(async (tx) => {
    await tx.query('set local session_replication_role = replica', [])
    return work(tx)
  })

/** Does what the program may not do: as superuser, in a transaction, without triggers. */
export const asSuperuser = async <T>(work: (tx: Tx) => Promise<T>, config?: TestConnection): Promise<T> => {
  if (!config) return withoutTriggers(await superuserOnce(), work)
  return withConnection({ ...superuserOf(config), max: 1 }, (db) => withoutTriggers(db, work))
}

/** The URL of a test database, for programs that take only a URL. */
export const migratedUrl = addressOf

/** The one database of this test file. Tests make their own families in it instead of emptying it. */
export const testDatabase = (): Promise<TestConnection> => (shared ??= freshDatabase())

const closings: (() => unknown)[] = []
/**
 * Calls `close` after the file's tests, in reverse order and before the databases are dropped. (A vitest hook registered
 * inside a hook or a test never runs, and what stays open keeps the runner waiting.)
 */
export const whenDone = (close: () => unknown) => closings.push(close)

/** Closes what a test file opened. testing/setup.ts calls it after each one, since files share this module. */
export const closeAll = async (): Promise<void> => {
  shared = undefined
  superuser = undefined
  for (const close of closings.splice(0).reverse()) await close()
  const copies = made.splice(0)
  if (copies.length > 0) await dropCopies(postgres, copies)
}
