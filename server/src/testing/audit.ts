import { expect } from 'vitest'
import { type Database, one, sql } from '../data/sql.ts'
import { chainPending } from '../identity/audit-chain.ts'

/** Until every entry has its link. While the server's own task is linking, `chainPending` does nothing and returns 0. */
export const linkAll = (db: Database): Promise<void> =>
  expect
    .poll(async () => {
      await chainPending(db)
      return (await one<{ n: number }>(db, sql`select count(*)::int as n from audit_pending`))?.n
    })
    .toBe(0)
