import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { ALL_KINDS, type SumKind } from './report-sums.ts'

export type Days = { start_date: string; end_date: string }
/** How days are read: whole months and single days from their sums, gaps from the transfers. */
export type Cover = { months: string[]; days: string[]; gaps: Days[] }
/** `isFull`: a day with all kinds of sums, also those below each account. */
type Span = { isMonth: boolean; starts: string; isFull: boolean }

/** Above this many gaps, all between the first and the last is read from the transfers: each gap is a query. */
const MAX_GAPS = 6

const dayAfter = (day: string, n = 1) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10)
const lastOfMonth = (day: string) => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

/** @param summed the days and months that have sums */
export const cover = ({ start_date, end_date }: Days, summed: Span[]): Cover => {
  const [months, days] = [true, false].map(
    (isMonth) => new Set(summed.filter((span) => span.isMonth === isMonth).map(({ starts }) => starts)),
  )
  const found: Cover = { months: [], days: [], gaps: [] }
  for (let day = start_date; day <= end_date; ) {
    const last = lastOfMonth(day)
    if (months?.has(day) && last <= end_date) {
      found.months.push(day)
      day = dayAfter(last)
      continue
    }
    const gap = found.gaps.at(-1)
    if (days?.has(day)) found.days.push(day)
    else if (gap && dayAfter(gap.end_date) === day) gap.end_date = day
    else found.gaps.push({ start_date: day, end_date: day })
    day = dayAfter(day)
  }
  const [first, last] = [found.gaps[0], found.gaps.at(-1)]
  if (!first || !last || found.gaps.length <= MAX_GAPS) return found
  const isOutside = (starts: string) => starts < first.start_date || starts > last.end_date
  return {
    months: found.months.filter(isOutside),
    days: found.days.filter(isOutside),
    gaps: [{ start_date: first.start_date, end_date: last.end_date }],
  }
}

/**
 * The days of a cover that have sums: `below` those that also have them below each account, unless these are of no use
 * here; `each` the others.
 */
export const daysOf = (
  { months, days }: Cover,
  summed: Span[],
  isBelowOfUse: boolean,
): { below: string[]; each: string[] } => {
  const full = new Set(summed.flatMap(({ isFull, starts }) => (isFull ? [starts] : [])))
  const all = [
    ...months.flatMap((month) =>
      Array.from({ length: Number(lastOfMonth(month).slice(8)) }, (_, at) => dayAfter(month, at)),
    ),
    ...days,
  ]
  const hasBelow = (day: string) => isBelowOfUse && full.has(day)
  return { below: all.filter(hasBelow), each: all.filter((day) => !hasBelow(day)) }
}

/** The sums that there are of these days, in this time zone. */
export const summedSpans = (db: Db, { start_date, end_date }: Days, timeZone: string): Promise<Span[]> =>
  many<Span>(
    db,
    sql`select is_month as "isMonth", starts::text, not is_month and kinds = ${ALL_KINDS}::int as "isFull" from summed_spans
      where time_zone = ${timeZone} and starts between ${start_date}::date and ${end_date}::date`,
  )

/** Rows of one kind, of all spans of a cover. */
export const sumsOf = (kind: SumKind, { months, days }: Pick<Cover, 'months' | 'days'>): Sql =>
  sql`(select * from report_sums where kind = ${kind}::smallint and is_month and starts = any(${months}::date[])
    union all select * from report_sums where kind = ${kind}::smallint and not is_month and starts = any(${days}::date[]))`

/** Days of one kind. */
export const daySumsOf = (kind: SumKind, days: string[]): Sql =>
  sql`(select * from report_sums where kind = ${kind}::smallint and not is_month and starts = any(${days}::date[]))`
