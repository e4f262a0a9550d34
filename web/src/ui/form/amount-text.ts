/** Typed amounts. They stay text, because a JavaScript number would round them. */

const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xbe6, 0xe50, 0x1040, 0xff10]
const latin = (letter: string) => {
  const code = letter.codePointAt(0) ?? 0
  const zero = ZEROS.find((first) => code >= first && code < first + 10)
  if (zero !== undefined) return String(code - zero)
  if (letter === '．' || letter === '。') return '.'
  return letter === '−' || letter === '－' ? '-' : letter
}

/** With Latin digits, point and minus. */
export const latinText = (typed: string): string => Array.from(typed, latin).join('')

/**
 * Whether the text is a number with an exponent, as spreadsheets paste it: its digits alone would be another number.
 */
export const hasExponent = (typed: string): boolean => /\d[eEＥｅ][+-]?\d/.test(latinText(typed))

/** " 1,234.50 points" -> "1234.50": at most 12 whole digits and 4 decimals; a minus only if `minus`. */
export const cleanAmount = (typed: string, minus: boolean): string => {
  const text = latinText(typed).replace(/[^\d.-]/g, '')
  const sign = minus && text.startsWith('-') ? '-' : ''
  const [whole = '', ...rest] = text.replaceAll('-', '').split('.')
  const digits = whole.replace(/^0+(?=\d)/, '').slice(0, 12)
  return rest.length ? `${sign}${digits}.${rest.join('').slice(0, 4)}` : sign + digits
}

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

/** The amount as the server expects it: "12." and ".5" become "12" and "0.5"; undefined if there is no amount yet. */
export const amountToSend = (clean: string): string | undefined => {
  const [whole = '', decimals = ''] = clean.replace('-', '').split('.')
  if (!whole && !decimals) return undefined
  const size = `${whole || '0'}${decimals ? `.${decimals}` : ''}`
  if (/^[0.]*$/.test(size)) return undefined
  return clean.startsWith('-') ? `-${size}` : size
}
