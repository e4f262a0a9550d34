import type { Translate } from '../../i18n/i18n.ts'
import { amountToSend, groupAmount, latinText } from '../form/amount-text.ts'

/** Both ends are included; the same twice is one amount. */
type Amounts = { min?: string; max?: string }

/** "1,250.50", "1 250", "12." and ".5" */
const NUMBER = /^(\d{1,12}|\d{1,3}([, ]\d{3}){1,3})?(\.\d{0,4})?$/
const BETWEEN = /\s*(?:[-–—~～]|\.\.+|…)\s*/
const LEAST = /^(?:[>＞]\s*[=＝]?|≥)\s*/
const MOST = /^(?:[<＜]\s*[=＝]?|≤)\s*/

const numberOf = (text: string) => (NUMBER.test(text) ? amountToSend(text.replace(/[, ]/g, '')) : undefined)
const isNumber = (text: string) => text !== '' && NUMBER.test(text) && /\d/.test(text)

const ends = (min: string | undefined, max: string | undefined): Amounts => {
  const isTurned = min !== undefined && max !== undefined && Number(min) > Number(max)
  const [least, most] = isTurned ? [max, min] : [min, max]
  return { ...(least ? { min: least } : {}), ...(most ? { max: most } : {}) }
}

/**
 * What an address or a user says about amounts: "500" is exactly that; "500-1000", ">500", "500-", "500+", "<500" and
 * "-500" are ranges. Nothing for any other text.
 */
export const amountsOf = (value = ''): Amounts => {
  const text = latinText(value).trim()
  const least = text.replace(LEAST, '').replace(/\s*\+$/, '')
  if (least !== text) return isNumber(least) ? ends(numberOf(least), undefined) : {}
  const most = text.replace(MOST, '')
  if (most !== text) return isNumber(most) ? ends(undefined, numberOf(most)) : {}
  const [first = '', second, ...more] = text.split(BETWEEN)
  if (more.length || ![first, second ?? ''].every((side) => side === '' || isNumber(side))) return {}
  return ends(numberOf(first), numberOf(second ?? first))
}

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
