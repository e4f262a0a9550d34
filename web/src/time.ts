import { configured } from './call.ts'

/**
 * Days and times are the platform's, for everyone the same: a report of a day must be the same day in Manila and in
 * Moscow. Fixed patterns with latin digits, because Chromium knows no Burmese and counts Thai years from the Buddha.
 */
let zone = 'UTC'
let format: Intl.DateTimeFormat | undefined

/** Asks once for the platform's time zone. */
export const startTime = async (): Promise<void> => {
  const { time_zone } = await configured()
  if (!time_zone || time_zone === zone) return
  zone = time_zone
  format = undefined
}

export const timeZone = () => zone

/** A moment in the platform's time zone: YYYY-MM-DD HH:mm:ss. */
export const showMoment = (moment: string | number | Date): string => {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return String(moment)
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
  const part = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`
}
