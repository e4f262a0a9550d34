import { formatPoints } from '@tallyroom/contract/points'
import type { Actor } from '../../identity/actor.ts'
import { type Db, many, withFreshPlan, sql } from '../../data/sql.ts'
import { checkRange } from '../../ledger/read/history-search.ts'
import { type Named, shownUsername, usernameFits } from '../../identity/masking.ts'
import { isVisible, findVisibleIds } from '../../identity/visible-ids.ts'

type Range = { username: string; start_date: string; end_date: string }
type Sums = { given: bigint; taken: bigint }

export const totalsOf = ({ given, taken }: Sums) => ({
  total_in: formatPoints(given),
  total_out: formatPoints(taken),
})

/** SR02 by operator and by day in one query, so that both have the same sum. Names are joined to the sums only. */
export const sr02 = async (db: Db, actor: Actor, { username, start_date, end_date }: Range) => {
  checkRange(start_date, end_date)
  const isNamed = sql`exists (select from accounts a where a.id = d.account_id and ${usernameFits(actor, sql`a.username`, username)})`
  const rows = await many<Named & Sums & { day: string | null }>(
    db,
    // A day or a year, a branch or everything: they need different plans.
    withFreshPlan(sql`select a.id, a.username, a.is_sub as "isSub", s.day::text, s.given, s.taken
      from (select d.account_id, d.day, sum(d.total_in)::bigint as given, sum(d.total_out)::bigint as taken
        from day_totals d
        where d.top_id = ${actor.topId} and d.day between ${start_date}::date and ${end_date}::date
          and ${isVisible(actor, await findVisibleIds(db, actor), sql`d.account_id`)} and ${username === '' ? sql`true` : isNamed}
        group by grouping sets ((d.account_id), (d.day))) s left join accounts a on a.id = s.account_id
      order by s.day nulls first, ${actor.masks ? sql`a.id` : sql`lower(a.username)`}`),
  )
  const days = rows.flatMap(({ day, ...sums }) => (day === null ? [] : [{ ...sums, day }]))
  const operators = rows.filter(({ day }) => day === null)
  return { rows: operators.map((row) => ({ ...row, username: shownUsername(actor, row) })), days }
}
