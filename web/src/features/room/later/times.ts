import type { WordKey } from '@tallyroom/locales'
import { momentOf, showMoment, today } from '../../../i18n/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** When a day of work begins, in the platform's time zone. */
const MORNING = '09:00'

export type Later = { word: WordKey; n?: number; at: number }

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The usual times for what is to come later, in ms. `now`: the server's time. */
export const laterChoices = (now: number): Later[] => {
  const day = showMoment(now).slice(0, 10)
  const soon = (n: number): Later => ({
    word: 'later.in_hours',
    n,
    at: Math.ceil((now + n * HOUR_MS) / MINUTE_MS) * MINUTE_MS,
  })
  const onDay = (word: WordKey, days: number): Later => ({ word, at: momentOf(`${dayAfter(day, days)} ${MORNING}`) })
  // On a Sunday next Monday is tomorrow.
  const toMonday = (8 - new Date(day).getUTCDay()) % 7 || 7
  return [soon(1), soon(3), onDay('later.tomorrow', 1), ...(toMonday > 1 ? [onDay('later.next_week', toMonday)] : [])]
}

/** A time that is to come: "14:30" today, else "12-31 14:30", in the platform's time zone. */
export const laterTime = (at: string | number): string => {
  const shown = showMoment(at).slice(0, 16)
  return shown.startsWith(today()) ? shown.slice(11) : shown.slice(5)
}
