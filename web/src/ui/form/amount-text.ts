/** Amounts as fields show them. They stay text, because a JavaScript number would round them. */
import { amountIn } from '@tallyroom/contract/text/typed-amount'

/** "-1234.5" -> "-1,234.5" */
export const groupAmount = (clean: string): string => {
  const [whole = '', decimals] = clean.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

/** 1234 -> "1,234". `toLocaleString` takes tens of milliseconds for its first number. */
export const groupCount = (n: number): string => groupAmount(String(n))

/** The caret's position in the grouped text, with `before` characters other than commas to its left. */
export const caretAfter = (grouped: string, before: number): number => {
  let seen = 0
  let at = 0
  while (at < grouped.length && seen < before) if (grouped[at++] !== ',') seen++
  return at
}

/** The amount of a field as the server expects it; undefined if there is none yet, or none in one reading. */
export const amountToSend = (typed: string): string | undefined => {
  const amount = amountIn(typed)
  return amount && /[1-9]/.test(amount) ? amount : undefined
}
