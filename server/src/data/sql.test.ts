import { expect, test } from 'vitest'
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
