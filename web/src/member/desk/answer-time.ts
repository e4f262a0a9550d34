import type { Translate } from '../../i18n/i18n.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** Rounded up, and never more exact than it was measured. Nothing for more than a day. */
export const answersText = (t: Translate, minutes: number): string => {
  if (minutes > DAY) return ''
  const [n, unit] = rounded(minutes)
  return t(unit === 'hour' ? 'member.answers_hours' : 'member.answers_minutes', { n })
}

/** The same for a head that has no room for a sentence: "≈ 4 min". */
export const answersInShort = (language: string, minutes: number): string => {
  const [n, unit] = rounded(minutes)
  // Latin digits, as everywhere.
  const shown = new Intl.NumberFormat(`${language}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'short' })
  return `≈ ${shown.format(n)}`
}

const rounded = (minutes: number): [number, 'minute' | 'hour'] => {
  const most = minutes <= 10 ? minutes : Math.ceil(minutes / 5) * 5
  return most < HOUR ? [most, 'minute'] : [Math.ceil(most / HOUR), 'hour']
}
