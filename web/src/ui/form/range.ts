import type { WordKey } from '@tallyroom/locales'
import { showMoment } from '../../i18n/time.ts'
import { serverNow } from '../../lib/clock.ts'

const MINUTE = 60_000
export const HOURS_24 = 24 * 3_600_000
/** HIST-02: the default length of a range. */
const DAYS_7 = 7 * HOURS_24
/** The longest range that a search may have, less the day that `openEnd` adds. */
export const YEAR = 364 * HOURS_24

/** Two times in the platform's time zone, YYYY-MM-DD HH:mm. */
export type Range = { start: string; end: string }

/** The last `length` ms, up to the end of the current minute, so that an entry of this minute is included. */
export const lastRange = (length: number = DAYS_7, now: number = serverNow()): Range => {
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

export const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * HOURS_24).toISOString().slice(0, 10)

/** Days that move with the date: a saved "today" means the day on which it is opened. */
export const presets = ['today', 'yesterday', 'week', 'month'] as const
export type Preset = (typeof presets)[number]
export const presetWords = {
  today: 'time.today',
  yesterday: 'time.yesterday',
  week: 'range.week',
  month: 'range.month',
} as const satisfies Record<Preset, WordKey>

export const daysOfPreset = (preset: Preset, now: number = serverNow()): Days => {
  const today = showMoment(now).slice(0, 10)
  const yesterday = dayAfter(today, -1)
  const days: Record<Preset, Days> = {
    today: { start: today, end: today },
    yesterday: { start: yesterday, end: yesterday },
    week: { start: dayAfter(today, -6), end: today },
    month: { start: `${today.slice(0, 8)}01`, end: today },
  }
  return days[preset]
}

/** Until the midnight after the last day: an end at 23:59 would leave out its last minute. */
const rangeOfDays = ({ start, end }: Days): Range => ({
  start: `${start} 00:00`,
  end: `${dayAfter(end, 1)} 00:00`,
})

const DAY = /^\d{4}-\d\d-\d\d$/
const MINUTE_OF_DAY = /^\d{4}-\d\d-\d\d \d\d:\d\d$/
/** 31 February is none, although a browser reads it as a day of March. */
const isMoment = (text: string, form: RegExp) => {
  if (!form.test(text)) return false
  const moment = new Date(`${text.replace(' ', 'T')}Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().replace('T', ' ').startsWith(text)
}
export const isDay = (text: string) => isMoment(text, DAY)
export const isMinute = (text: string) => isMoment(text, MINUTE_OF_DAY)

/** A period as a filter keeps it: the name of a preset, or "start..end" in days or in minutes. */
export const periodOf = ({ start, end }: Days | Range) => `${start}..${end}`

/** The days of a period; undefined for minutes, and for text that is no period. */
export const daysOfPeriod = (period: string, now?: number): Days | undefined => {
  const preset = presets.find((name) => name === period)
  if (preset) return daysOfPreset(preset, now)
  const [start = '', end = ''] = period.split('..')
  return isMoment(start, DAY) && isMoment(end, DAY) ? { start, end } : undefined
}

/** The minutes of a period; undefined for text that is no period. */
export const rangeOfPeriod = (period: string, now?: number): Range | undefined => {
  const days = daysOfPeriod(period, now)
  if (days) return rangeOfDays(days)
  const [start = '', end = ''] = period.split('..')
  return isMoment(start, MINUTE_OF_DAY) && isMoment(end, MINUTE_OF_DAY) ? { start, end } : undefined
}
