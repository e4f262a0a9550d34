import type { Answer } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import { type Db, many, type Sql, sql } from '../../../data/sql.ts'
import type { Actor } from '../../../identity/actor.ts'
import { type Named, shownText, shownUsername } from '../../../identity/masking.ts'
import { type HistoryViewer, timesOf } from '../../../ledger/read/history-search.ts'
import { moment } from '../../../ledger/read/history.ts'

type PeriodRow = Named & {
  periodId: number
  start_date: string
  end_date: string
  next: string
  closed_at: string
  accounts: number
  opening: bigint
  in: bigint
  out: bigint
  closing: bigint
  held: bigint
}
type Person = Named & { nickname: string }
type SettlementRow = {
  id: number
  start_date: string
  end_date: string
  upline: Person
  downline: Person
  amount: bigint
  state: 'open' | 'settled'
  settled_at: string | null
  remark: string
}
const person = (alias: 'u' | 'd') => ({
  text: `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'nickname', ${alias}.nickname, 'isSub', ${alias}.is_sub)`,
  values: [],
})
const namesOf = (actor: Actor, one: Person) => ({
  username: shownUsername(actor, one),
  nickname: shownText(actor, one, one.nickname),
})

/** At most `limit` rows, of which the newest has a lower number than `before`. */
type Part = { limit: number; before?: string | undefined }
const isBefore = (id: Sql, before: string | undefined): Sql =>
  before === undefined ? sql`true` : sql`${id} < ${before}::bigint`

/** The closed periods of the viewer's branch, newest first: each is closed after those before it. */
export const closedPeriods = async (
  db: Db,
  viewer: HistoryViewer,
  { limit, before }: Part,
): Promise<Answer<'period/list'>> => {
  const rows = await many<PeriodRow>(
    db,
    sql`select p.id as "periodId", p.start_date::text, p.end_date::text, (p.end_date + 1)::text as next,
        ${moment(sql`p.closed_at`, timesOf(viewer))} as closed_at, a.id, a.username, a.is_sub as "isSub", s.*
      from closed_periods p join accounts a on a.id = p.closed_by
        cross join lateral (select count(*)::int as accounts, coalesce(sum(b.opening), 0)::bigint as opening,
            coalesce(sum(b.total_in), 0)::bigint as in, coalesce(sum(b.total_out), 0)::bigint as out,
            coalesce(sum(b.closing), 0)::bigint as closing, coalesce(sum(b.held), 0)::bigint as held
          from closed_balances b where b.period_id = p.id) s
      where p.account_id = ${viewer.actor.id} and ${isBefore(sql`p.id`, before)} order by p.ends_at desc limit ${limit}`,
  )
  return {
    data: rows.map((row) => ({
      id: row.periodId,
      start_date: row.start_date,
      end_date: row.end_date,
      closed_at: row.closed_at,
      closed_by: shownUsername(viewer.actor, row),
      accounts: row.accounts,
      opening: formatPoints(row.opening),
      in: formatPoints(row.in),
      out: formatPoints(row.out),
      closing: formatPoints(row.closing),
      held: formatPoints(row.held),
    })),
    next_start: rows[0]?.next ?? null,
  }
}

/** The settlements of the viewer with its downline and its upline, newest first. */
export const settlements = async (
  db: Db,
  viewer: HistoryViewer,
  { limit, before }: Part,
): Promise<Answer<'settlement/list'>> => {
  const rows = await many<SettlementRow>(
    db,
    sql`select s.id, p.start_date::text, p.end_date::text, ${person('u')} as upline, ${person('d')} as downline, s.amount,
        s.state, ${moment(sql`s.settled_at`, timesOf(viewer))} as settled_at, s.remark
      from settlements s join closed_periods p on p.id = s.period_id join accounts u on u.id = s.upline_id
        join accounts d on d.id = s.downline_id
      where (s.upline_id = ${viewer.actor.id} or s.downline_id = ${viewer.actor.id}) and ${isBefore(sql`s.id`, before)}
      order by s.id desc limit ${limit}`,
  )
  return {
    data: rows.map(({ upline, downline, amount, ...row }) => ({
      ...row,
      upline: namesOf(viewer.actor, upline),
      downline: namesOf(viewer.actor, downline),
      amount: formatPoints(amount),
      own: upline.id === viewer.actor.id ? (1 as const) : (0 as const),
    })),
  }
}
