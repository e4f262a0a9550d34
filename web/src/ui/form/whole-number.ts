import { latinDigits } from '@tallyroom/contract/text/latin-digits'

/**
 * The whole number that a text is; NaN for none. The browser's own field for numbers leaves out what it does not take, so
 * that "1,5" becomes 15.
 */
export const wholeNumber = (typed: string): number => {
  const digits = latinDigits(typed).trim()
  return /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN
}
