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
  const length = schema.maxLength === undefined ? '' : ` (${schema.minLength ?? 0}–${schema.maxLength})`
  return `${name}${schema.format ? ` ${schema.format}` : ''}${length}`
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
      const line = { name: here, type: typeOf(field), required, description: field.description ?? '' }
      return [line, ...(depth < 3 ? linesOf(inner, `${here}.`, depth + 1) : [])]
    }),
  )
}
