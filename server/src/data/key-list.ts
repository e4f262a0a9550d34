import type { Sql } from './sql.ts'

/**
 * An array for `any` or `unnest`, as a subselect: PostgreSQL plans the statement again for each array that it sees to
 * be shorter than ten, which takes three times as long as to find a session.
 */
export const keyList = (type: 'int' | 'bigint' | 'text' | 'bytea', values: unknown[]): Sql => ({
  text: `(select $1::${type}[])::${type}[]`,
  values: [values],
})
