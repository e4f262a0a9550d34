import { expect, test } from 'vitest'
import { startTestServer } from '../testing/app.ts'
import { keyList } from './key-list.ts'
import { many, one, type Sql, sql } from './sql.ts'

test('[TRF-12] a statement over a list of keys is not planned for each short list', async () => {
  const { db } = (await startTestServer()).services
  const plans = (list: Sql) =>
    db.transact(async (tx) => {
      // As with many rows.
      await tx.query('set local enable_seqscan = off', [])
      const asked = sql`select a.id, g.id as above from accounts a join accounts g on g.id = a.parent_id where a.id = any(${list})`
      for (let times = 0; times < 10; times++) await many(tx, asked)
      return one(
        tx,
        sql`select custom_plans::int as each, generic_plans::int as kept from pg_prepared_statements where statement = ${asked.text}`,
      )
    })
  expect(await plans(sql`${[1]}::int[]`)).toEqual({ each: 10, kept: 0 })
  expect(await plans(keyList('int', [1]))).toEqual({ each: 5, kept: 5 })
})
