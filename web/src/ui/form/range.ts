import type { WordKey } from '@tallyroom/locales'
import { showMoment } from '../../i18n/time.ts'

const MINUTE = 60_000
export const HOURS_24 = 24 * 3_600_000
/** HIST-02: the default length of a range. */
export const DAYS_7 = 7 * HOURS_24

/** Two times in the platform's time zone, YYYY-MM-DD HH:mm. */
export type Range = { start: string; end: string }

/** The last `length` ms, up to the end of the current minute, so that an entry of this minute is included. */
export const lastRange = (length: number = DAYS_7, now: number = Date.now()): Range => {
  const end = Math.ceil(now / MINUTE) * MINUTE
  const minute = (moment: number) => showMoment(moment).slice(0, 16)
  return { start: minute(end - length), end: minute(end) }
}

/** As the calls expect it: YYYY-MM-DD HH:mm:00. */
export const rangeToSend = ({ start, end }: Range) => ({ start_time: `${start}:00`, end_time: `${end}:00` })

export const isBackward = ({ start, end }: Range) => start > end

/** The end to send for a range that ends now: a day later, so that entries made meanwhile are included. */
export const openEnd = ({ end }: Range) =>
  `${new Date(Date.parse(`${end.replace(' ', 'T')}:00Z`) + HOURS_24).toISOString().slice(0, 16).replace('T', ' ')}:00`

/** Whole days of the platform's time zone, YYYY-MM-DD, both included. */
export type Days = { start: string; end: string }

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * HOURS_24).toISOString().slice(0, 10)

export const dayPresets = (now: number = Date.now()): { word: WordKey; days: Days }[] => {
  const today = showMoment(now).slice(0, 10)
  const yesterday = dayAfter(today, -1)
  return [
    { word: 'time.today', days: { start: today, end: today } },
    { word: 'time.yesterday', days: { start: yesterday, end: yesterday } },
    { word: 'range.week', days: { start: dayAfter(today, -6), end: today } },
    { word: 'range.month', days: { start: `${today.slice(0, 8)}01`, end: today } },
  ]
}

/** Until the midnight after the last day: an end at 23:59 would leave out its last minute. */
export const rangeOfDays = ({ start, end }: Days): Range => ({
  start: `${start} 00:00`,
  end: `${dayAfter(end, 1)} 00:00`,
})

/** The days that a range covers from midnight to midnight. */
export const daysOfRange = ({ start, end }: Range): Days =>
  start.endsWith('00:00') && end.endsWith('00:00')
    ? { start: start.slice(0, 10), end: dayAfter(end.slice(0, 10), -1) }
    : { start: '', end: '' }
