import type { Sql } from '../data/sql.ts'

/**
 * Hours of each day, stored in the columns `from_minute` and `until_minute` of a row: null for the whole day; hours that end
 * before they begin go past midnight.
 */
export const minuteOf = (clock: string | undefined): number | null => {
  if (clock === undefined) return null
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** SQL for a minute of the day as a clock shows it. */
export const clock = (column: string) => `to_char(make_time(${column} / 60, ${column} % 60, 0), 'HH24:MI')`

/** SQL for the minute of the day in a time zone. */
export const minuteOfDay = (timeZone: string) =>
  `(extract(hour from now() at time zone ${timeZone}) * 60 + extract(minute from now() at time zone ${timeZone}))::int`

/** SQL for whether a minute of the day is within the hours of a row. */
export const withinHours = (row: string, minute: string) => `(${row}.from_minute is null
  or case when ${row}.from_minute < ${row}.until_minute then ${minute} >= ${row}.from_minute and ${minute} < ${row}.until_minute
    else ${minute} >= ${row}.from_minute or ${minute} < ${row}.until_minute end)`

/** The hours of a row as JSON, `{from, until}` or null, for a query of the template. */
export const hoursJson = (row: string): Sql => ({
  text: `case when ${row}.from_minute is not null then json_build_object('from', ${clock(`${row}.from_minute`)},
    'until', ${clock(`${row}.until_minute`)}) end`,
  values: [],
})
