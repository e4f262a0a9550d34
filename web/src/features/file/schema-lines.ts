/** A schema of an OpenAPI document whose references are resolved. */
export type Schema = {
  type?: string | string[]
  format?: string
  description?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
  maxLength?: number
  minLength?: number
  minimum?: number
  maximum?: number
}
export type FieldLine = { name: string; type: string; required: boolean; description: string }

/** Many numbers that follow each other are a range: in a column of a phone each would have a line of its own. */
const oneOf = (types: string[]): string => {
  const numbers = types.filter((type) => /^\d+$/.test(type))
  const [first = '', last = ''] = [numbers[0], numbers.at(-1)]
  const isRange = numbers.length > 5 && numbers.every((number, at) => Number(number) === Number(first) + at)
  return (isRange ? [`${first}–${last}`, ...types.filter((type) => !numbers.includes(type))] : types).join(' | ')
}

const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return oneOf(schema.enum.map((one) => JSON.stringify(one)))
  const either = schema.anyOf ?? schema.oneOf
  if (either) return oneOf([...new Set(either.map(typeOf))])
  if (schema.type === 'array') {
    const item = schema.items ? typeOf(schema.items) : ''
    return / \| |^\d+–/.test(item) ? `(${item})[]` : `${item}[]`
  }
  const name = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? '')
  return `${name}${schema.format ? ` ${schema.format}` : ''}${rangeOf(schema)}`
}

/** Lengths or numbers from the least to the most. What only the kind of number limits has none. */
const rangeOf = ({ minLength = 0, maxLength, minimum, maximum }: Schema): string => {
  if (maxLength !== undefined) return ` (${minLength}–${maxLength})`
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return ''
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? ` (${minimum} or more)`
    : ` (${minimum}–${maximum})`
}

/** The fields of a schema, required ones first; nested ones follow theirs, with their path. */
export const linesOf = (schema: Schema | undefined, before = '', depth = 0): FieldLine[] => {
  const isRequired = (name: string) => schema?.required?.includes(name) ?? false
  const fields = Object.entries(schema?.properties ?? {})
  return [true, false].flatMap((required) =>
    fields.flatMap(([name, field]) => {
      if (isRequired(name) !== required) return []
      const inner = field.type === 'array' ? field.items : field
      const here = `${before}${name}${field.type === 'array' ? '[]' : ''}`
      const usual = field.default === undefined ? '' : `, default ${JSON.stringify(field.default)}`
      const line = { name: here, type: `${typeOf(field)}${usual}`, required, description: field.description ?? '' }
      return [line, ...(depth < 3 ? linesOf(inner, `${here}.`, depth + 1) : [])]
    }),
  )
}

/** The fields of an answer. Most are always there, so the others are marked. */
export const answerLinesOf = (schema: Schema | undefined): FieldLine[] =>
  linesOf(schema).map(({ required, type, ...line }) => ({
    ...line,
    type: required ? type : `${type}, may be absent`,
    required: false,
  }))
