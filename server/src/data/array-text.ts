/**
 * Arrays of numbers, and of texts without quotes and backslashes, as text. The driver would quote and escape each item,
 * for a batch of the ledger a thousand times. Other values are left to it.
 */
export const asArrayText = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value
  if (value.every(isPlain)) return `{${value.map((item) => item ?? 'NULL').join()}}`
  if (!value.every(isText)) return value
  const quoted = value.map((item) => (item === null ? 'NULL' : `"${item}"`))
  return NEEDS_ESCAPES.test(value.join('')) ? value : `{${quoted.join()}}`
}
const isPlain = (item: unknown) => item === null || typeof item === 'number' || typeof item === 'bigint'
const isText = (item: unknown) => item === null || typeof item === 'string'
const NEEDS_ESCAPES = /["\\]/
