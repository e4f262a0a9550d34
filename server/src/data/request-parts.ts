import { type Db, one, type Row, sql } from './sql.ts'

/** Makes the parts of the table `requests` that are needed next, and drops those that ended more than `days` ago. */
export const tendRequests = (db: Db, days: number): Promise<void> =>
  one(db, sql`select tend_requests(${days}::int)`).then(() => undefined)

/** The end of the time from now on that has parts without a gap; now, when the present has none. */
const end = sql`coalesce((select min(p.ends) from request_parts() p
    where p.ends > now() and exists (select from request_parts() c where c.starts <= now() and c.ends > now())
      and not exists (select from request_parts() n where n.starts <= p.ends and n.ends > p.ends)), now())`
/** How many days ahead there is a part for each new request. Without one every write fails. */
export const requestSeconds = sql`extract(epoch from ${end} - now())::float8`

export const requestDaysAhead = async (db: Db): Promise<number> => {
  const row = await one<Row & { days: number }>(db, sql`select ${requestSeconds} / 86400 as days`)
  return row?.days ?? 0
}
