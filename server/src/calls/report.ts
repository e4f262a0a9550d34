import type { reportCalls } from '@tallyroom/contract/calls/report'
import { formatPoints } from '@tallyroom/contract/points'
import { visible } from '../actor.ts'
import { many, sql } from '../db.ts'
import type { Handlers } from '../handler.ts'
import { checkRange } from '../ledger/history.ts'
import { type Named, shownUsername, usernameFits } from '../names.ts'

export const reportHandlers = {
  /** Points that funding accounts of the downline gave to (in) and took from (out) members, by day of settlement. */
  'report/sr02': async ({ db, actor }, { username, start_date, end_date }) => {
    checkRange(start_date, end_date)
    const rows = await many<Named & { given: bigint; taken: bigint }>(
      db,
      sql`select a.id, a.username, a.is_sub as "isSub", sum(d.total_in)::bigint as given, sum(d.total_out)::bigint as taken
        from day_totals d join accounts a on a.id = d.account_id
        where d.top_id = ${actor.topId} and d.day between ${start_date}::date and ${end_date}::date and ${visible(actor)}
          and ${usernameFits(actor, sql`a.username`, username)}
        group by a.id order by ${actor.masks ? sql`a.id` : sql`lower(a.username)`}`,
    )
    const total = rows.reduce((sum, row) => ({ given: sum.given + row.given, taken: sum.taken + row.taken }), {
      given: 0n,
      taken: 0n,
    })
    const shown = ({ given, taken }: { given: bigint; taken: bigint }) => ({
      total_in: formatPoints(given),
      total_out: formatPoints(taken),
    })
    return { total: shown(total), data: rows.map((row) => ({ username: shownUsername(actor, row), ...shown(row) })) }
  },
} satisfies Handlers<typeof reportCalls>
