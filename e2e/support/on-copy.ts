import {
  databaseHasRoles,
  freshDatabase,
  migratedUrl,
  ownerOf,
  superuserOf,
} from '../../server/src/testing/postgres.ts'
import { type Server, startServer } from './server.ts'

/** Starts the built server on a copy of the database that all tests of a run share: no initdb, no migrations. */
export const startOnCopy = async (): Promise<Server> => {
  const copy = await freshDatabase()
  const owner = databaseHasRoles ? { DATABASE_OWNER_URL: migratedUrl(ownerOf(copy)) } : {}
  const server = await startServer({ env: { DATABASE_URL: migratedUrl(copy), ...owner } })
  return { ...server, database: superuserOf(copy) }
}
