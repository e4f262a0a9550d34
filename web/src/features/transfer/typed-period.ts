import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { HOURS_24, periodOf } from '../../ui/form/range.ts'

/** A period as the filter of the log has it, and its name. */
type TypedPeriod = { period: string; name: string }

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Monday to Sunday before this week. */
const lastWeek = (today: number) => {
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * HOURS_24
  return periodOf({ start: dayOf(monday - 7 * HOURS_24), end: dayOf(monday - HOURS_24) })
}
const lastMonth = (today: number) => {
  const end = Date.parse(`${dayOf(today).slice(0, 8)}01`) - HOURS_24
  return periodOf({ start: `${dayOf(end).slice(0, 8)}01`, end: dayOf(end) })
}

const periods: readonly (readonly [WordKey, (today: number) => string])[] = [
  ['time.today', () => 'today'],
  ['time.yesterday', () => 'yesterday'],
  ['range.week', () => 'week'],
  ['range.last_week', lastWeek],
  ['range.this_month', () => 'month'],
  ['range.last_month', lastMonth],
]

/** The period that the text names in the language of the page, such as "yesterday", and the text without it. */
export const typedPeriod = (text: string, t: Translate): { typed: TypedPeriod | undefined; rest: string } => {
  const today = Date.parse(showMoment(Date.now()).slice(0, 10))
  const words = ` ${text} `
  for (const [key, periodAt] of periods) {
    const name = t(key)
    const at = words.toLowerCase().indexOf(` ${name.toLowerCase()} `)
    if (at < 0) continue
    const rest = `${words.slice(0, at)} ${words.slice(at + name.length + 2)}`.replace(/\s+/g, ' ').trim()
    return { typed: { period: periodAt(today), name }, rest }
  }
  return { typed: undefined, rest: text }
}
