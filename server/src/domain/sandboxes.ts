import { type Sql, sql } from '../data/sql.ts'

/** Whether a top account is that of a sandbox, also of one that was emptied. Nothing of it leaves the installation but webhooks. */
export const isSandbox = (topId: Sql): Sql => sql`(${topId} in (select x.top_id from sandboxes x))`

/** A platform's own top account and that of its sandbox, as a condition on a column. */
export const ofPlatform = (topId: Sql, ownerId: number): Sql =>
  sql`(${topId} = ${ownerId} or ${topId} in (select x.top_id from sandboxes x where x.owner_id = ${ownerId} and x.emptied_at is null))`
