import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { type Sql, sql } from '../../data/sql.ts'
import { isVisible, type VisibleIds } from '../../identity/visible-ids.ts'
import { leadsThrough } from './report-cells.ts'

/** The points that an account gave or took on the day `d` while it was in its former place `p`. */
export const totalInPosition = (total: 'in' | 'out'): Sql => {
  const column = (before: string): Sql => ({ text: `${before}_${total}`, values: [] })
  return sql`(case when d.day = p.last_day then ${column('p.last')} else ${column('d.total')} end
    - case when d.day = p.first_day then ${column('p.first')} else 0 end)`
}
export const daysInPositions = (start: Sql, end: Sql): Sql =>
  sql`past_places p join accounts a on a.id = p.account_id
    join day_totals d on d.account_id = p.account_id and d.day between greatest(p.first_day, ${start}) and least(p.last_day, ${end})`

/**
 * The points that funding accounts of the actor's downline gave and took: `(account_id, day, total_in, total_out, n)`, to be
 * summed. A moved account counts for each time where it was then: rows of `n` = -1 take the time elsewhere from what the
 * account counts now, and rows of `n` = 1 add the time here. Where the sum of `n` and both totals are 0, it was elsewhere
 * all the time. `among`: a condition on `d`.
 */
export const totalsByPosition = (
  actor: Actor,
  visibleIds: VisibleIds,
  { start, end, among }: { start: Sql; end: Sql; among: Sql },
): Sql => {
  // PostgreSQL joins `exists`: the accounts of a large branch are read once, not for each row of a year.
  const isNow =
    visibleIds === 'many'
      ? sql`exists (select from accounts a where a.id = d.account_id and ${visibleAccounts(actor)})`
      : isVisible(actor, visibleIds, sql`d.account_id`)
  const now = sql`select d.account_id, d.day, d.total_in, d.total_out, 1 as n from day_totals d
    where d.top_id = ${actor.topId} and d.day between ${start} and ${end} and ${isNow} and ${among}`
  // Nothing moves in or out of the whole tree.
  if (visibleIds === 'all') return sql`(${now})`
  const isInScope = (path: Sql) => leadsThrough(path, actor.id)
  return sql`(${now} union all
    select d.account_id, d.day, s.n * ${totalInPosition('in')}, s.n * ${totalInPosition('out')}, s.n
    from ${daysInPositions(start, end)}
      cross join lateral (select case when ${isInScope(sql`p.path`)} then 1 else -1 end as n) s
    where p.top_id = ${actor.topId} and ${among}
      and ${isInScope(sql`p.path`)} <> ${isInScope(sql`a.path`)})`
}

/** Keeps groups of rows with `n` whose account was there: one that was elsewhere all the time has no row. */
export const wasThere = sql`(sum(n) > 0 or sum(total_in) <> 0 or sum(total_out) <> 0)`
