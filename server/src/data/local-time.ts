import { type Sql, sql } from './sql.ts'

/** The last instant at which the clocks of a time zone show this time: where one is set back, a time comes twice. */
export const lastAt = (local: Sql, timeZone: string): Sql => sql`((${local})::timestamp at time zone ${timeZone}::text)`

/**
 * The first such instant. With the last one as the beginning of a day, what is moved in the repeated hour after midnight
 * (Azores, Cuba) would belong to no day or to two: `(at at time zone …)::date` has the new day from the first one on.
 * Clocks are set back by one hour, on Lord Howe Island by half of one.
 */
export const firstAt = (local: Sql, timeZone: string): Sql => {
  const last = lastAt(local, timeZone)
  const isShownBefore = (time: Sql) => sql`(${last} - ${time}) at time zone ${timeZone}::text = (${local})::timestamp`
  const [hour, half] = [sql`interval '1 hour'`, sql`interval '30 minutes'`]
  return sql`(${last} - case when ${isShownBefore(hour)} then ${hour} when ${isShownBefore(half)} then ${half}
    else interval '0' end)`
}

/** Whole days, both included: from the first instant of one to that of the day after the other, which is not included. */
export const spanOf = (firstDay: Sql, lastDay: Sql, timeZone: string): { start: Sql; end: Sql } => ({
  start: firstAt(firstDay, timeZone),
  end: firstAt(sql`${lastDay} + 1`, timeZone),
})

/**
 * Before this instant ends a range whose last time is `local` (YYYY-MM-DD HH:mm:ss). Its last second belongs to it; but a
 * range until midnight ends with its day, as reports count it, and has nothing of the next one.
 */
export const endAt = (local: string, timeZone: string): Sql =>
  local.endsWith(' 00:00:00')
    ? firstAt(sql`${local}`, timeZone)
    : sql`(${lastAt(sql`${local}`, timeZone)} + interval '1 second')`
