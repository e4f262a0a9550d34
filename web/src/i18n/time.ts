import { configured } from '../lib/config.ts'

/**
 * Days and times are the platform's, for everyone the same: a report of a day must be the same day in Manila and in
 * Moscow. Fixed patterns with latin digits, because Chromium knows no Burmese and counts Thai years from the Buddha.
 */
let zone = 'UTC'
let format: Intl.DateTimeFormat | undefined
/** How far the zone is from UTC, by quarters of an hour: it changes on these alone. */
const offsets = new Map<number, number>()
const QUARTER_MS = 900_000

/** Asks once for the platform's time zone. */
export const startTime = async (): Promise<void> => {
  const { time_zone } = await configured()
  if (!time_zone || time_zone === zone) return
  zone = time_zone
  format = undefined
  offsets.clear()
}

export const timeZone = () => zone

/** Intl takes tens of microseconds for each moment, and a list shows thousands: it is asked once for each quarter. */
const offsetAt = (ms: number): number => {
  if (zone === 'UTC') return 0
  const quarter = Math.floor(ms / QUARTER_MS)
  const known = offsets.get(quarter)
  if (known !== undefined) return known
  format ??= new Intl.DateTimeFormat('en-GB-u-nu-latn-ca-gregory', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const start = quarter * QUARTER_MS
  const part = Object.fromEntries(format.formatToParts(start).map(({ type, value }) => [type, value]))
  const there = Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`)
  const offset = there - start
  offsets.set(quarter, offset)
  return offset
}

/** A moment in the platform's time zone: YYYY-MM-DD HH:mm:ss. */
export const showMoment = (moment: string | number | Date): string => {
  const ms = new Date(moment).getTime()
  if (Number.isNaN(ms)) return String(moment)
  return new Date(ms + offsetAt(ms)).toISOString().slice(0, 19).replace('T', ' ')
}
