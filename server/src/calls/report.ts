import type { reportCalls } from '@tallyroom/contract/calls/report'
import { formatPoints } from '@tallyroom/contract/points'
import { visible } from '../actor.ts'
import { many, sql } from '../db.ts'
import type { Handlers } from '../handler.ts'
import { checkRange } from '../ledger/history.ts'

export const reportHandlers = {
  /** Points that funding accounts of the downline gave to (in) and took from (out) members, by day of settlement. */
  'report/sr02': async ({ db, actor }, { username, start_date, end_date }) => {
    checkRange(start_date, end_date)
    const rows = await many<{ username: string; given: bigint; taken: bigint }>(
      db,
      sql`select a.username, sum(d.total_in)::bigint as given, sum(d.total_out)::bigint as taken
        from day_totals d join accounts a on a.id = d.account_id
        where d.top_id = ${actor.topId} and d.day between ${start_date}::date and ${end_date}::date and ${visible(actor)}
          and (${username} = '' or strpos(lower(a.username), lower(${username})) > 0)
        group by a.id, a.username order by lower(a.username)`,
    )
    const total = rows.reduce((sum, row) => ({ given: sum.given + row.given, taken: sum.taken + row.taken }), {
      given: 0n,
      taken: 0n,
    })
    const shown = ({ given, taken }: { given: bigint; taken: bigint }) => ({
      total_in: formatPoints(given),
      total_out: formatPoints(taken),
    })
    return { total: shown(total), data: rows.map((row) => ({ username: row.username, ...shown(row) })) }
  },
} satisfies Handlers<typeof reportCalls>
