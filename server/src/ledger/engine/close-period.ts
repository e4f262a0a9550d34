import { spanOf } from '../../data/local-time.ts'
import { one, run, type Sql, sql, type Tx } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { refuse } from '../../lib/refusal.ts'
import { checkRange } from '../read/history-search.ts'
import { sumsBefore } from '../read/posting-marks.ts'

type Days = { start_date: string; end_date: string }

/** `accounts`: how many of the branch have a balance in it. */
type Closed = { id: number; accounts: number }

/** Closes the books of the actor's branch for these days, and opens the settlements with its direct downline. */
export const closePeriod = async (tx: Tx, actor: Actor, timeZone: string, days: Days): Promise<Closed> => {
  checkRange(days.start_date, days.end_date)
  // Closings of one branch wait for each other.
  await run(tx, sql`select 1 from accounts where id = ${actor.id} for no key update`)
  const { starts, ends } = await timesOf(tx, actor, timeZone, days)
  // A batch that has begun may date transfers into the period and commits before this; a later one is dated later.
  await one(
    tx,
    sql`select count(*) as n from (select w.id from wallets w join accounts a on a.id = w.account_id
      where ${visibleAccounts(actor)} order by w.id for no key update of w) l`,
  )
  const period = await one<{ id: number }>(
    tx,
    sql`insert into closed_periods (top_id, account_id, start_date, end_date, starts_at, ends_at, closed_by)
      values (${actor.topId}, ${actor.id}, ${days.start_date}::date, ${days.end_date}::date, ${starts}, ${ends}, ${actor.id})
      returning id`,
  )
  if (!period) throw new Error('a closed period was not stored')
  const stored = await one<{ accounts: number }>(
    tx,
    sql`with stored as (insert into closed_balances (period_id, account_id, top_id, parent_id, opening, total_in, total_out, closing, held)
      select ${period.id}::int, w.account_id, ${actor.topId}::int, min(a.parent_id),
        coalesce(sum(o.balance) filter (where w.kind < ${is.escrow}), 0), coalesce(sum(c.total_in - o.total_in) filter (where w.kind < ${is.escrow}), 0),
        coalesce(sum(c.total_out - o.total_out) filter (where w.kind < ${is.escrow}), 0),
        coalesce(sum(c.balance) filter (where w.kind < ${is.escrow}), 0), coalesce(sum(c.balance) filter (where w.kind = ${is.escrow}), 0)
      from wallets w join accounts a on a.id = w.account_id
        cross join ${sumsBefore(sql`w.id`, starts)} o cross join ${sumsBefore(sql`w.id`, ends)} c
      where ${visibleAccounts(actor)} and w.seq > 0 group by w.account_id returning 1)
      select count(*)::int as accounts from stored`,
  )
  await run(
    tx,
    sql`insert into settlements (top_id, period_id, upline_id, downline_id, amount)
      select ${actor.topId}::int, ${period.id}::int, ${actor.id}::int, a.id, s.amount
      from accounts a cross join ${owedSum({ downline: sql`a.id`, upline: sql`${actor.id}::int`, starts, ends })} s
      where a.parent_id = ${actor.id} and a.role_id = ${is.agent} and s.amount <> 0 order by a.id`,
  )
  return { id: period.id, accounts: stored?.accounts ?? 0 }
}

/** The points that an account directly below got from the account above it between two moments, less those it gave back. */
export const owedSum = ({
  downline,
  upline,
  starts,
  ends,
}: Record<'downline' | 'upline' | 'starts' | 'ends', Sql>): Sql =>
  sql`lateral (select sum(p.amount) as amount from transfers t
      join postings p on p.transfer_id = t.id join wallets w on w.id = p.wallet_id and w.account_id = ${downline}
    where t.target_id = ${downline} and t.funder_id = ${upline} and t.created_at < ${ends}
      and (t.created_at >= ${starts} or t.is_envelope) and p.created_at >= ${starts} and p.created_at < ${ends})`

/** The beginning and the end of a period that may be closed. */
const timesOf = async (tx: Tx, { id }: Actor, timeZone: string, { start_date, end_date }: Days) => {
  const { start, end } = spanOf(sql`${start_date}::date`, sql`${end_date}::date`, timeZone)
  const found = await one<{ isOver: boolean; last: string | null; next: string | null; starts: string; ends: string }>(
    tx,
    // The end of the period before, also where TIME_ZONE was another one then.
    sql`select ${end_date}::date < (clock_timestamp() at time zone ${timeZone}::text)::date as "isOver",
        max(end_date)::text as last, (max(end_date) + 1)::text as next,
        coalesce(max(ends_at), ${start})::text as starts, ${end}::text as ends
      from closed_periods where account_id = ${id}`,
  )
  if (!found?.isOver) return refuse('period.not_over')
  const { last, next } = found
  if (last !== null && start_date <= last) return refuse('period.overlaps', { day: last })
  if (next !== null && start_date !== next) return refuse('period.gap', { day: next })
  return { starts: sql`${found.starts}::timestamptz`, ends: sql`${found.ends}::timestamptz` }
}
