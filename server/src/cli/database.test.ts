import { expect, test } from 'vitest'
import { connect, one, sql } from '../data/sql.ts'
import { errorText } from './database.ts'

test('[RUN-12] a command that loses its database says so in one line', async () => {
  const db = connect({ connectionString: 'postgresql://nobody@localhost:1/none', max: 1 })
  const error = await one(db, sql`select 1`).catch((thrown: unknown) => thrown)
  await db.end()
  expect(errorText(error)).toMatch(
    /^The database does not answer \(connect ECONNREFUSED .*\)\. Check .*DATABASE_URL.*$/,
  )
  expect(errorText(new Error('a bug'))).toContain('\n')
})
