import { expect, test } from 'vitest'
import { connect, one, sql } from '../data/sql.ts'
import { ofThisProcess, verifyPassword } from '../identity/passwords.ts'
import { freshDatabase } from '../testing/postgres.ts'
import { makeFirstAccount } from './first-account.ts'

test('[RUN-01] of copies that start at once, only the one that makes admin has its password', async () => {
  const db = connect(await freshDatabase())
  const passwords = await Promise.all([makeFirstAccount(db, undefined), makeFirstAccount(db, undefined)])
  const [password, ...more] = passwords.filter((given) => given !== undefined)
  expect(more).toEqual([])
  const admin = await one<{ hash: string }>(db, sql`select password_hash as hash from accounts`)
  expect(await verifyPassword(admin?.hash ?? '', password ?? '', ofThisProcess)).toBe(true)
  await db.end()
})
