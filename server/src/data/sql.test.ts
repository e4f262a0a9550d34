import { expect, test } from 'vitest'
import { startTestServer } from '../testing/app.ts'
import { type Sql, sql } from './sql.ts'

const among = (condition: Sql, last: unknown) => sql`select where a = ${1} and ${condition} and z = ${last}`

test('[TRF-12] a template with other queries inside it each time numbers its values right each time', () => {
  const one = sql`b = ${2}`
  const two = sql`b = ${2} or c = ${3} or ${sql`d = ${[4]}`}`
  const none = sql`true`
  const wanted = {
    one: { text: 'select where a = $1 and b = $2 and z = $3', values: [1, 2, 9] },
    two: { text: 'select where a = $1 and b = $2 or c = $3 or d = $4 and z = $5', values: [1, 2, 3, [4], 9] },
    none: { text: 'select where a = $1 and true and z = $2', values: [1, 9] },
    // A value in its place, then a query.
    late: { text: 'select where a = $1 and true and z = b = $2', values: [1, 2] },
  }
  for (let round = 0; round < 2; round++) {
    expect(among(one, 9)).toEqual(wanted.one)
    expect(among(one, 9)).toEqual(wanted.one)
    expect(among(two, 9)).toEqual(wanted.two)
    expect(among(none, 9)).toEqual(wanted.none)
    expect(among(none, one)).toEqual(wanted.late)
  }
})

test('[TRF-12] arrays arrive as they were sent, of numbers or not', async () => {
  const { db } = (await startTestServer()).services
  const big = 9_223_372_036_854_775_807n
  const texts = ['1,2', '"', null, '{}', '\\']
  const plain = ['NULL', '', null, '{a, b}', ' ü\n', "'"]
  const sent = [[1, -2, null], [big, -big, null], [], texts, [true, false], [1.5, 1e21], plain]
  const [row] = await db.query<{ got: unknown[] }>(
    `select json_build_array($1::int[], $2::bigint[]::text[], $3::int[], $4::text[], $5::boolean[], $6::float8[], $7::text[]) as got`,
    sent,
  )
  expect(row?.got).toEqual([[1, -2, null], [`${big}`, `-${big}`, null], [], texts, [true, false], [1.5, 1e21], plain])
})

test('[TRF-12] of statements that are sent together, the one that failed first is the cause', async () => {
  const { db } = (await startTestServer()).services
  const [divided, taken] = [sql`select 1 / 0`, sql`select 'no number'::int`]
  const inOrder = db.transact(async (tx) => {
    const asked = tx.query(divided.text, [])
    tx.last(taken)
    await Promise.all([asked, tx.query('select 1', [])])
  })
  await expect(inOrder).rejects.toMatchObject({ code: '22012' })
  const lastFirst = db.transact(async (tx) => {
    tx.last(taken)
    await tx.query(divided.text, [])
  })
  await expect(lastFirst).rejects.toMatchObject({ code: '22P02' })
  const translated = db.transact(async (tx) => {
    await tx.query(divided.text, []).catch(() => {
      throw new Error('in other words')
    })
  })
  await expect(translated).rejects.toThrow('in other words')
})
