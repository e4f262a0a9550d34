import { MAX_PASSWORD, MIN_PASSWORD } from '@tallyroom/contract/lengths'
import { randomBytes } from 'node:crypto'
import { makeAccount } from './accounts.ts'
import { locks } from '../data/locks.ts'
import { type Database, one, sql } from '../data/sql.ts'
import { hashPassword, ofThisProcess } from '../identity/passwords.ts'
import { StartError } from '../lib/start-error.ts'

/** On an empty database: makes the top account `admin`, which issues points. Returns a generated password. */
export const makeFirstAccount = async (db: Database, wanted: string | undefined): Promise<string | undefined> => {
  const known = await one(db, sql`select 1 from accounts limit 1`)
  if (known) return undefined
  if (wanted !== undefined && (wanted.length < MIN_PASSWORD || wanted.length > MAX_PASSWORD)) {
    throw new StartError('ADMIN_PASSWORD must have 4 to 128 characters.')
  }
  const password = wanted ?? randomBytes(12).toString('base64url').replace(/[-_]/g, 'x').slice(0, 15)
  const passwordHash = await hashPassword(password, ofThisProcess)
  const isMade = await db.transact(async (tx) => {
    // Two copies may start at the same time on the same empty database.
    await one(tx, sql`select pg_advisory_xact_lock(${locks.auditChain}::bigint)`)
    if (await one(tx, sql`select 1 from accounts limit 1`)) return false
    await makeAccount(tx, {
      parent: undefined,
      role: 1,
      username: 'admin',
      nickname: 'Admin',
      passwordHash,
      unlimited: true,
    })
    return true
  })
  return isMade && wanted === undefined ? password : undefined
}
