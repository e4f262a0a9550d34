import type { ClientConfig } from 'pg'
import { makeFirstAccount } from '../../server/src/accounts/first-account.ts'
import { withConnection } from '../../server/src/data/sql.ts'
import { makePasswordsCheap } from '../../server/src/testing/cheap-passwords.ts'
import { startTemplate } from '../../server/src/testing/template.ts'
import { buildHost } from './host/build.ts'
import { ADMIN_PASSWORD, TEMPLATE } from './journey-server.ts'

makePasswordsCheap()

const addAdmin = async (database: ClientConfig) => {
  await withConnection({ ...database, max: 1 }, (db) => makeFirstAccount(db, ADMIN_PASSWORD))
}

/** One PostgreSQL for all journeys, with one migrated database that has an `admin`: each server starts on a copy of it. */
export default async () => {
  const [{ stop, ...template }] = await Promise.all([startTemplate(addAdmin), buildHost()])
  // Playwright passes the environment on to its workers.
  process.env[TEMPLATE] = JSON.stringify(template)
  return stop
}
