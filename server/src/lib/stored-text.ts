/** PostgreSQL cannot store U+0000 or half a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/u

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text)

/** No call has fields that deep, and some 10,000 levels would end the stack. */
const MAX_DEPTH = 32

/** The path of the first text that the database cannot store, such as `filter.text` or `codes.0`, or of what is too deep. */
export const unstorableField = (value: unknown, path = '', depth = 0): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : path || 'body'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return path
  for (const [name, inner] of Object.entries(value)) {
    const found = unstorableField(inner, path ? `${path}.${name}` : name, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
