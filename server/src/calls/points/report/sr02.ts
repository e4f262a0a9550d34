import type { Answer, Parsed } from '@tallyroom/contract'
import type { Role } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { foldWanted } from '@tallyroom/contract/text/fold'
import type { Actor } from '../../../identity/actor.ts'
import { type Db, type LeftJoined, many, withFreshPlan, sql } from '../../../data/sql.ts'
import { checkRange, type HistoryViewer } from '../../../ledger/read/history-search.ts'
import { type Named, shownText, shownUsername, usernameFits } from '../../../identity/masking.ts'
import { findVisibleIds } from '../../../identity/visible-ids.ts'
import { totalsByPosition, wasThere } from '../../../ledger/read/totals-by-position.ts'
import { byBets, byPosition, byTransfer } from '../../../ledger/read/sr02-levels.ts'

type Range = Pick<Parsed<'report/sr02'>, 'username' | 'start_date' | 'end_date'>
type Sums = { given: bigint; taken: bigint }

export const totalsOf = ({ given, taken }: Sums) => ({
  total_in: formatPoints(given),
  total_out: formatPoints(taken),
})

/** SR02 by operator and by day in one query, so that both have the same sum. Names are joined to the sums only. */
const byOperator = async (db: Db, actor: Actor, { username, start_date, end_date }: Range) => {
  checkRange(start_date, end_date)
  const isNamed = sql`exists (select from accounts a where a.id = d.account_id and ${usernameFits(actor, sql`a.username`, username)})`
  const range = {
    start: sql`${start_date}::date`,
    end: sql`${end_date}::date`,
    among: username === '' ? sql`true` : isNamed,
  }
  const rows = await many<Sums & LeftJoined<Named> & { day: string | null }>(
    db,
    // A day or a year, a branch or everything: they need different plans.
    withFreshPlan(sql`select a.id, a.username, a.is_sub as "isSub", s.day::text, s.given, s.taken
      from (select d.account_id, d.day, sum(d.total_in)::bigint as given, sum(d.total_out)::bigint as taken
        from ${totalsByPosition(actor, await findVisibleIds(db, actor), range)} d
        group by grouping sets ((d.account_id), (d.day)) having ${wasThere}) s left join accounts a on a.id = s.account_id
      order by s.day nulls first, ${actor.masks ? sql`a.id` : sql`lower(a.username)`}`),
  )
  const days = rows.flatMap(({ day, ...sums }) => (day === null ? [] : [{ ...sums, day }]))
  const operators = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, username: shownUsername(actor, row) }]))
  return { rows: operators, days }
}

/** The most persons or members of an answer. */
const MOST = 5000

/** SR02 as it is asked for: `rows` with their sums, `days`, and the sums of all. */
export const sr02 = async (db: Db, { actor, timeZone }: HistoryViewer, input: Parsed<'report/sr02'>) => {
  const { by, username, start_date, end_date } = input
  const under = input.under ?? actor.id
  if (input.what === 'points' && by === 'operator' && under === actor.id) {
    const { rows, days } = await byOperator(db, actor, input)
    return { rows, days, total: sumOf(rows), isCut: false }
  }
  checkRange(start_date, end_date)
  const found = await (input.what === 'bets'
    ? byBets(db, actor, {
        under,
        by: by === 'branch' || by === 'operator' ? by : 'member',
        days: input,
        timeZone,
        most: MOST,
      })
    : by === 'operator' || by === 'branch'
      ? byPosition(db, actor, under, by, input)
      : byTransfer(db, actor, { under, by, days: input, timeZone, most: MOST }))
  const days = found.flatMap(({ day, given, taken }) => (day === null ? [] : [{ day, given, taken }]))
  const wanted = foldWanted(username)
  const rows = found.flatMap((row) =>
    row.id === null
      ? []
      : [
          {
            ...row,
            username: shownUsername(actor, row),
            nickname: shownText(actor, row, row.nickname),
            own: by === 'branch' && row.id === under,
          },
        ],
  )
  return {
    rows: wanted === '' ? rows : rows.filter((row) => row.username.toLowerCase().includes(wanted)),
    days,
    total: sumOf(days),
    isCut: rows.length === MOST,
  }
}

const sumOf = (rows: Sums[]): Sums =>
  rows.reduce((sum, row) => ({ given: sum.given + row.given, taken: sum.taken + row.taken }), { given: 0n, taken: 0n })

type Level = { nickname: string; role: Role; own: boolean; valid: bigint | null }

/** The fields of rows beside their sums, unless they are by paying account. */
const levelOf = (row: Sums | (Sums & Level)) =>
  'own' in row
    ? {
        nickname: row.nickname,
        role_id: row.role,
        ...(row.own ? { own: 1 as const } : {}),
        ...(row.valid === null ? {} : { valid: formatPoints(row.valid) }),
      }
    : {}

export const sr02Answer = async (
  db: Db,
  viewer: HistoryViewer,
  input: Parsed<'report/sr02'>,
): Promise<Answer<'report/sr02'>> => {
  const { rows, days, total, isCut } = await sr02(db, viewer, input)
  return {
    total: totalsOf(total),
    data: rows.map((row) => ({ id: row.id, username: row.username, ...totalsOf(row), ...levelOf(row) })),
    days: days.map((row) => ({ day: row.day, ...totalsOf(row) })),
    ...(isCut ? { cut: true } : {}),
  }
}
