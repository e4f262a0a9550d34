import type { Translate } from '../../i18n/i18n.ts'
import { type AmountReading, amountIn, readAmount } from '@tallyroom/contract/text/typed-amount'
import { amountToSend, groupAmount } from '../form/amount-text.ts'

/** Both ends are included; the same twice is one amount. */
type Amounts = { min?: string; max?: string }

const BETWEEN = /\s*(?:[-–—−－~～]|\.\.+|…)\s*/
const LEAST = /^(?:[>＞]\s*[=＝]?|≥)\s*/
const MOST = /^(?:[<＜]\s*[=＝]?|≤)\s*/

const isNumber = (text: string) => amountIn(text) !== undefined

const ends = (min: string | undefined, max: string | undefined): Amounts => {
  const isReversed = min !== undefined && max !== undefined && Number(min) > Number(max)
  const [least, most] = isReversed ? [max, min] : [min, max]
  return { ...(least ? { min: least } : {}), ...(most ? { max: most } : {}) }
}

/**
 * What an address or a user says about amounts: "500" is exactly that; "500-1000", ">500", "500-", "500+", "<500" and
 * "-500" are ranges. Nothing for any other text.
 */
export const amountsOf = (value = ''): Amounts => {
  const text = value.trim()
  const least = text.replace(LEAST, '').replace(/\s*[+＋]$/, '')
  if (least !== text) return isNumber(least) ? ends(amountToSend(least), undefined) : {}
  const most = text.replace(MOST, '')
  if (most !== text) return isNumber(most) ? ends(undefined, amountToSend(most)) : {}
  const [first = '', second, ...more] = text.split(BETWEEN)
  if (more.length || ![first, second ?? ''].every((side) => side === '' || isNumber(side))) return {}
  return ends(amountToSend(first), amountToSend(second ?? first))
}

/** Why an end of the range is no amount; undefined if both are, or there is none. */
export const amountsProblem = (typed: string): AmountReading | undefined =>
  typed
    .trim()
    .replace(LEAST, '')
    .replace(MOST, '')
    .replace(/[+＋]$/, '')
    .split(BETWEEN)
    .map((side) => readAmount(side))
    .find(({ problem }) => problem !== undefined)

/** As the address holds it; empty if the text says nothing. */
export const amountsValue = (typed: string): string => {
  const { min, max } = amountsOf(typed)
  return min || max ? `${min ?? ''}-${max ?? ''}` : ''
}

/** The text of the field for what the address holds. */
export const amountsText = (value: string): string => {
  const { min, max } = amountsOf(value)
  if (value !== amountsValue(value)) return value
  if (min === max) return min ?? ''
  return min && max ? value : min ? `≥${min}` : `≤${max}`
}

/** The chip's text, and what the field says it has understood; empty for nothing. */
export const shownAmounts = (t: Translate, value: string, isLong = false) => {
  const { min, max } = amountsOf(value)
  if (min && min === max) return isLong ? t('filter.exactly', { amount: groupAmount(min) }) : groupAmount(min)
  if (min && max) return `${groupAmount(min)} – ${groupAmount(max)}`
  if (min) return t('filter.at_least', { amount: groupAmount(min) })
  return max ? t('filter.at_most', { amount: groupAmount(max) }) : ''
}
