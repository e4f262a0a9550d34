import type { ClientConfig } from 'pg'
import { makeFirstAccount } from '../../server/src/accounts/first-account.ts'
import { connect } from '../../server/src/data/sql.ts'
import { makePasswordsCheap } from '../../server/src/testing/cheap-passwords.ts'
import { startTemplate } from '../../server/src/testing/template.ts'
import { buildHost } from './host/build.ts'
import { ADMIN_PASSWORD, TEMPLATE } from './journey-server.ts'

makePasswordsCheap()

const addAdmin = async (database: ClientConfig) => {
  const db = connect({ ...database, max: 1 })
  try {
    await makeFirstAccount(db, ADMIN_PASSWORD)
  } finally {
    await db.end()
  }
}

/** One PostgreSQL for all journeys, with one migrated database that has an `admin`: each server starts on a copy of it. */
export default async () => {
  const [{ stop, ...template }] = await Promise.all([startTemplate(addAdmin), buildHost()])
  // Playwright passes the environment on to its workers.
  process.env[TEMPLATE] = JSON.stringify(template)
  return stop
}
