import { afterAll, inject } from 'vitest'
import { connect, forbidNesting, type Tx } from '../data/sql.ts'
import { addressOf, asOwner, asSuperuser, copyTemplate, dropCopies, type TestConnection } from './template.ts'

forbidNesting()

export type { TestConnection }

const postgres = inject('postgres')
/** The roles of the own database exist: not on a PostgreSQL that was brought along. */
export const databaseHasRoles = postgres.hasRoles
const made: TestConnection[] = []
let shared: Promise<TestConnection> | undefined

/** A new database with the whole schema and nothing in it, for this test alone; gone after the file. As the program serves. */
export const freshDatabase = async (): Promise<TestConnection> => {
  const copy = await copyTemplate(postgres)
  made.push(copy)
  return copy
}

/** The same database as the role that migrates it. */
export const ownerOf = (config: TestConnection): TestConnection => asOwner(postgres, config)

/** The same database as the superuser, for what a test changes behind the program's back. */
export const superuserOf = (config: TestConnection): TestConnection => asSuperuser(postgres, config)

/** Does what the program may not: as the superuser, in a transaction, without triggers. */
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
export const migratedUrl = addressOf

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
  if (made.length > 0) await dropCopies(postgres, made)
})
