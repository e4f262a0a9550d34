import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../i18n/i18n.ts'
import { dayAfter, daysOfPreset, periodOf } from '../../ui/form/range.ts'

/** A period as the filter of the log has it, and its name. */
type TypedPeriod = { period: string; name: string }

/** Monday to Sunday before this week. */
const lastWeek = () => {
  const today = daysOfPreset('today').start
  const sunday = dayAfter(today, -(new Date(today).getUTCDay() || 7))
  return periodOf({ start: dayAfter(sunday, -6), end: sunday })
}
const lastMonth = () => {
  const end = dayAfter(daysOfPreset('month').start, -1)
  return periodOf({ start: `${end.slice(0, 8)}01`, end })
}

const periods: readonly (readonly [WordKey, () => string])[] = [
  ['time.today', () => 'today'],
  ['time.yesterday', () => 'yesterday'],
  ['range.week', () => 'week'],
  ['range.last_week', lastWeek],
  ['range.this_month', () => 'month'],
  ['range.last_month', lastMonth],
]

/** The period that the text names in the language of the page, such as "yesterday", and the text without it. */
export const typedPeriod = (text: string, t: Translate): { typed: TypedPeriod | undefined; rest: string } => {
  const words = ` ${text} `
  for (const [key, periodAt] of periods) {
    const name = t(key)
    const at = words.toLowerCase().indexOf(` ${name.toLowerCase()} `)
    if (at < 0) continue
    const rest = `${words.slice(0, at)} ${words.slice(at + name.length + 2)}`.replace(/\s+/g, ' ').trim()
    return { typed: { period: periodAt(), name }, rest }
  }
  return { typed: undefined, rest: text }
}
