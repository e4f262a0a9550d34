import { showMoment } from '../../i18n/time.ts'

const MINUTE = 60_000
export const HOURS_24 = 24 * 3_600_000
/** HIST-02: what a form covers that does not say otherwise. */
export const DAYS_7 = 7 * HOURS_24

/** Two minutes by the platform's clock, YYYY-MM-DD HH:mm. */
export type Range = { start: string; end: string }

/** The last so many milliseconds, up to the end of the running minute: what has just happened belongs to it. */
export const lastRange = (length: number = DAYS_7, now: number = Date.now()): Range => {
  const end = Math.ceil(now / MINUTE) * MINUTE
  const minute = (moment: number) => showMoment(moment).slice(0, 16)
  return { start: minute(end - length), end: minute(end) }
}

/** As the calls take it: YYYY-MM-DD HH:mm:00. */
export const rangeToSend = ({ start, end }: Range) => ({ start_time: `${start}:00`, end_time: `${end}:00` })

export const isBackward = ({ start, end }: Range) => start > end

/** Where a range that ends with the present is asked to end: what happens while one looks at it belongs to it too. */
export const stillOpen = ({ end }: Range) =>
  `${new Date(Date.parse(`${end.replace(' ', 'T')}:00Z`) + HOURS_24).toISOString().slice(0, 16).replace('T', ' ')}:00`
