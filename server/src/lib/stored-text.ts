/** PostgreSQL stores every text but one with U+0000 in it; half a surrogate pair is no UTF-8 and no JSON for it either. */
const UNSTORABLE = /\0|\p{Surrogate}/u

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text)

/** Where the first text at any depth is that the database cannot store, as `filter.text` or `codes.0`. */
export const unstorableField = (value: unknown, path = ''): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : path || 'body'
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = unstorableField(inner, path ? `${path}.${name}` : name)
    if (found !== undefined) return found
  }
  return undefined
}
