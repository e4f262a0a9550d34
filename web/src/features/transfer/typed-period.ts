import type { WordKey } from '@tallyroom/locales'
import { fold } from '@tallyroom/contract/text/fold'
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
  const words = text.split(/\s+/).filter(Boolean)
  const folded = words.map(fold)
  for (const [key, periodAt] of periods) {
    const name = t(key)
    const parts = fold(name).split(' ')
    const at = folded.findIndex((_, first) => parts.every((part, n) => part === folded[first + n]))
    if (at < 0) continue
    return { typed: { period: periodAt(), name }, rest: words.toSpliced(at, parts.length).join(' ') }
  }
  return { typed: undefined, rest: text }
}
