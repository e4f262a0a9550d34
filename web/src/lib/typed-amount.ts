/** "500", "1,250.50": at most 12 whole digits and 4 decimals, as transfers have them. */
const AMOUNT = /^(\d{1,12}|\d{1,3}(,\d{3}){1,3})(\.\d{1,4})?$/

/** The first amount of a typed text, without its separators, and the other words: "ann 500" is 500 and "ann". */
export const typedAmount = (text: string): { amount: string | undefined; words: string } => {
  const parts = text.split(/\s+/)
  const at = parts.findIndex((part) => AMOUNT.test(part) && /[1-9]/.test(part))
  if (at < 0) return { amount: undefined, words: text }
  return { amount: parts[at]?.replaceAll(',', ''), words: parts.toSpliced(at, 1).join(' ') }
}
