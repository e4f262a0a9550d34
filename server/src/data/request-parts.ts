import { type Db, one, type Row, sql } from './sql.ts'

/** Makes the parts of the table `requests` that are needed next, and drops those that ended more than `days` ago. */
export const tendRequests = (db: Db, days: number): Promise<void> =>
  one(db, sql`select tend_requests(${days}::int)`).then(() => undefined)

/** How many days ahead there is a part for new requests. Without one every write fails. */
export const requestDaysAhead = async (db: Db): Promise<number> => {
  const row = await one<Row & { days: number }>(
    db,
    sql`select extract(epoch from max(ends) - now())::float8 / 86400 as days from request_parts()`,
  )
  return row?.days ?? 0
}
