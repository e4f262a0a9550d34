import { offsetAt } from '@tallyroom/contract/text/zone-offset'
import { serverNow } from '../lib/clock.ts'
import { configured, onConfig } from '../lib/config.ts'

/**
 * Days and times are shown in the platform's time zone for every user: a daily report must be the same day in Manila
 * and in Moscow. Fixed patterns with Latin digits, because Chromium has no Burmese and uses the Buddhist calendar for
 * Thai.
 */
let zone = 'UTC'

export const setTimeZone = (name: string): void => {
  zone = name
}

onConfig(({ time_zone }) => setTimeZone(time_zone || zone))

/** Loads the platform's time zone and the server's time. */
export const startTime = async (): Promise<void> => void (await configured())

/** The name of the platform's time zone. */
export const timeZone = (): string => zone

/** What lists and statements get from the server: a time in the platform's zone, without the name of a zone. */
const alreadyShown = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** A moment in the platform's time zone: YYYY-MM-DD HH:mm:ss. */
export const showMoment = (moment: string | number | Date): string => {
  // Read as a time of the browser's zone, it would be shifted twice.
  if (typeof moment === 'string' && alreadyShown.test(moment)) return moment
  const ms = new Date(moment).getTime()
  if (Number.isNaN(ms)) return String(moment)
  return new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 19).replace('T', ' ')
}

const DAY_MS = 86_400_000

/**
 * The moment of a minute, YYYY-MM-DD HH:mm, in the platform's time zone, in ms. Of a minute that comes twice it is the
 * first; one that the zone skips is as much later as is skipped.
 */
export const momentOf = (minute: string): number => {
  const local = Date.parse(`${minute.replace(' ', 'T')}:00Z`)
  const before = offsetAt(zone, local - DAY_MS)
  const after = offsetAt(zone, local + DAY_MS)
  const isBefore = offsetAt(zone, local - before) === before
  return local - (isBefore || offsetAt(zone, local - after) !== after ? before : after)
}

/** Now in the platform's time zone, by the server's clock. */
export const showNow = (): string => showMoment(serverNow())

/** Today in the platform's time zone, YYYY-MM-DD. */
export const today = (): string => showNow().slice(0, 10)

/**
 * The platform's zone as people write it, "UTC+8 (Asia/Taipei)", while the device has another time; else empty. Zones
 * that differ by name only show the same times.
 */
export const foreignZone = (): string => {
  const now = serverNow()
  const minutes = offsetAt(zone, now) / 60_000
  if (minutes === -new Date(now).getTimezoneOffset()) return ''
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset =
    minutes === 0 ? '' : `${minutes < 0 ? '−' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
  return zone === 'UTC' ? 'UTC' : `UTC${offset} (${zone})`
}
