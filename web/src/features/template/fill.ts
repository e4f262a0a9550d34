/** The conversation's values for the variables of a quick reply. */
export const variables = ['nickname', 'balance', 'username'] as const
export type Values = Record<(typeof variables)[number], string | undefined>

const KNOWN = new RegExp(`\\{(${variables.join('|')})\\}`, 'g')

/** Fills in known variables and leaves the others. In one pass, because a nickname may be "{balance}". */
export const fill = (content: string, values: Values): { text: string; missing: boolean } => {
  let missing = false
  const text = content.replace(KNOWN, (whole, name: keyof Values) => {
    const value = values[name]
    if (value === undefined) missing = true
    return value ?? whole
  })
  return { text, missing }
}

/** What looks like a variable and is none: it is sent as it is written. */
export const unknownIn = (content: string): string[] => [
  ...new Set([...content.replace(KNOWN, '').matchAll(/\{\s*[\p{L}\p{M}_]+\s*\}/gu)].map(([whole]) => whole)),
]

/** The `/word` being typed: from the start of a word to the caret. */
export const slashAt = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const found = /(?:^|\s)\/([^\s/]*)$/u.exec(text.slice(0, caret))
  const typed = found?.[1]
  return typed === undefined ? undefined : { from: caret - typed.length - 1, typed }
}

const EIGHT_HOURS = 8 * 3_600_000
/**
 * TMPL-02: times of quick replies are shifted by eight hours, independent of the platform's time zone: YYYY-MM-DD
 * HH:mm:ss.
 */
export const shifted = (iso: string) =>
  new Date(Date.parse(iso) + EIGHT_HOURS).toISOString().slice(0, 19).replace('T', ' ')
