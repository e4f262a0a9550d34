/** What of a talk stands in a quick reply. */
export const variables = ['nickname', 'balance', 'username'] as const
export type Values = Record<(typeof variables)[number], string | undefined>

const KNOWN = new RegExp(`\\{(${variables.join('|')})\\}`, 'g')

/** Fills in what is known; the rest stays as it is, for the one who writes. In one go: a nickname may be "{balance}". */
export const fill = (content: string, values: Values): { text: string; missing: boolean } => {
  let missing = false
  const text = content.replace(KNOWN, (whole, name: keyof Values) => {
    const value = values[name]
    if (value === undefined) missing = true
    return value ?? whole
  })
  return { text, missing }
}

/** The `/word` that somebody is writing, at the beginning of a word and up to the caret. */
export const slashAt = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const found = /(?:^|\s)\/([^\s/]*)$/u.exec(text.slice(0, caret))
  const typed = found?.[1]
  return typed === undefined ? undefined : { from: caret - typed.length - 1, typed }
}

/** Put between other words it keeps its distance from them. */
export const spaced = (words: string, before: string, after: string) =>
  `${/\S$/u.test(before) ? ' ' : ''}${words}${/^\S/u.test(after) ? ' ' : ''}`

const EIGHT_HOURS = 8 * 3_600_000
/** Times of quick replies are shifted by eight hours, whatever the platform's time zone: YYYY-MM-DD HH:mm:ss. */
export const shifted = (iso: string) =>
  new Date(Date.parse(iso) + EIGHT_HOURS).toISOString().slice(0, 19).replace('T', ' ')
