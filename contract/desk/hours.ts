import { offsetAt } from '../text/zone-offset.ts'

/**
 * DESK-05: when a desk is open. One rule for server, browser and report. No Zod here: see codes.ts.
 *
 * A desk is open at a moment if the clock of its zone shows a minute of a span. So a minute that summer time skips is never
 * open, and one that comes twice counts twice.
 */

/** Minutes of the day. `until` may be 1440; one that is less than `from` is on the next day. */
export type Span = readonly [from: number, until: number]

/** A minute of the day as `HH:mm`; 1440 is 24:00. */
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** A day that differs from its weekday: a holiday without spans is closed. `day` is YYYY-MM-DD. */
export type DifferentDay = { day: string; spans: readonly Span[] }

export type OpeningHours = {
  /** An IANA time zone. */
  zone: string
  /** The spans of the seven days, Sunday first. */
  week: readonly (readonly Span[])[]
  days: readonly DifferentDay[]
}

const MINUTE = 60_000
const DAY = 86_400_000
/** Offsets change on quarters of an hour. */
const QUARTER = 15 * MINUTE

/** Whether the desk is open at a moment (ms). */
export const openAt = (hours: OpeningHours, at: number): boolean => {
  const local = at + offsetAt(hours.zone, at)
  return openIn(hours, local, local + 1).length > 0
}

/** How many seconds of the time between two moments (ms) the desk was open. */
export const openSeconds = (hours: OpeningHours, from: number, until: number): number => {
  let ms = 0
  for (const [start, end, offset] of segmentsOf(hours.zone, from, until))
    for (const [opens, closes] of openIn(hours, start + offset, end + offset)) ms += closes - opens
  return ms / 1000
}

/** The first moment (ms) from `at` on at which the desk is open: `at` itself while it is; undefined if it never opens. */
export const nextOpening = (hours: OpeningHours, at: number): number | undefined => {
  for (const [start, end, offset] of segmentsOf(hours.zone, at, lastMoment(hours, at))) {
    const [first] = openIn(hours, start + offset, end + offset)
    if (first) return first[0] - offset
  }
  return undefined
}

/** The first moment (ms) from `at` on at which the desk is closed; undefined if it never closes. */
export const nextClosing = (hours: OpeningHours, at: number): number | undefined => {
  for (const [start, end, offset] of segmentsOf(hours.zone, at, lastMoment(hours, at))) {
    const [first] = openIn(hours, start + offset, end + offset)
    if (!first || first[0] - offset > start) return start
    if (first[1] < end + offset) return first[1] - offset
  }
  return undefined
}

/** After the last day that differs each week is as the one before: a week and the days beside it decide. */
const lastMoment = ({ days }: OpeningHours, at: number) =>
  days.reduce((last, { day }) => Math.max(last, Date.parse(day)), at) + 10 * DAY

/** The open times between two local times, in order and apart. Local times are ms as if the zone were UTC. */
const openIn = ({ week, days }: OpeningHours, from: number, until: number): [number, number][] => {
  const found: [number, number][] = []
  // The day before may pass midnight.
  for (let start = Math.floor(from / DAY) * DAY - DAY; start < until; start += DAY) {
    for (const [opens, closes] of spansOf(week, days, start)) {
      const end = closes > opens ? closes : closes + DAY / MINUTE
      const span = [Math.max(from, start + opens * MINUTE), Math.min(until, start + end * MINUTE)] as const
      if (span[0] < span[1]) found.push([...span])
    }
  }
  found.sort(([a], [b]) => a - b)
  const apart: [number, number][] = []
  for (const span of found) {
    const last = apart.at(-1)
    if (last && span[0] <= last[1]) last[1] = Math.max(last[1], span[1])
    else apart.push(span)
  }
  return apart
}

const spansOf = (week: OpeningHours['week'], days: OpeningHours['days'], start: number): readonly Span[] => {
  const date = new Date(start)
  const text = days.length > 0 ? date.toISOString().slice(0, 10) : ''
  return days.find(({ day }) => day === text)?.spans ?? week[date.getUTCDay()] ?? []
}

/** The parts of a time in which the zone's offset stays the same: from, until and offset, in ms. */
function* segmentsOf(zone: string, from: number, until: number): Generator<[number, number, number]> {
  let start = from
  while (start < until) {
    const offset = offsetAt(zone, start)
    const far = Math.min(until, start + DAY)
    const end = offsetAt(zone, far - 1) === offset ? far : changeBetween(zone, start, far - 1)
    yield [start, end, offset]
    start = end
  }
}

/** The first moment after `from` with another offset than at `from`; `until` has another one. */
const changeBetween = (zone: string, from: number, until: number): number => {
  const offset = offsetAt(zone, from)
  let [before, after] = [Math.floor(from / QUARTER), Math.floor(until / QUARTER)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(zone, middle * QUARTER) === offset) before = middle
    else after = middle
  }
  return after * QUARTER
}
