import { type Sql, sql } from '../../data/sql.ts'

const isOver = sql`q.since < now() - interval '1 day'`

/**
 * Counts a file against the bytes that an account may store in a day, which begins with its first file. For a query with
 * the account as `sender`; without a row it would be too much. `most` 0: no limit.
 */
export const counted = (bytes: number, most: number): Sql =>
  sql`insert into file_quotas as q (account_id, bytes) select id, ${bytes}::bigint from sender
    on conflict (account_id) do update set since = case when ${isOver} then now() else q.since end,
      bytes = excluded.bytes + case when ${isOver} then 0 else q.bytes end
    where ${most}::bigint = 0 or ${isOver} or q.bytes + excluded.bytes <= ${most}::bigint
    returning account_id`
