/** PostgreSQL cannot store U+0000 or half a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/u

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text)

/** The path of the first text at any depth that the database cannot store, such as `filter.text` or `codes.0`. */
export const unstorableField = (value: unknown, path = ''): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : path || 'body'
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = unstorableField(inner, path ? `${path}.${name}` : name)
    if (found !== undefined) return found
  }
  return undefined
}
