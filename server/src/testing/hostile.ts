import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { z } from 'zod'

/** Hostile values for fields, made from the schemas of the contract. */

export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  pattern?: string
  format?: string
}
type Step = string | number
export type Field = { path: Step[]; schema: Schema }

export const schemaOf = (type: z.ZodType): Schema =>
  resolveRefs(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })) as Schema

/** Every field of a request at any depth, including objects and lists themselves. */
export const fieldsOf = (schema: Schema, path: Step[] = []): Field[] => [
  ...(path.length ? [{ path, schema }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => fieldsOf(inner, [...path, name])),
  ...(schema.items ? fieldsOf(schema.items, [...path, 0]) : []),
  ...(schema.anyOf ?? []).flatMap((one) => (one.properties || one.items ? fieldsOf(one, path).slice(1) : [])),
]

const TEXTS = [
  'x',
  '1',
  '1.5',
  'abcd',
  'secret1',
  '2026-01-01',
  '2026-01-01 00:00:00',
  '2026-01-01T00:00:00.000000Z/1/1',
  '1-1',
  '#ffffff',
  '0191b1e0-7f00-7000-8000-000000000000',
  '+886912345678',
  'data:image/png;base64,AAAA',
  `tk_${'0'.repeat(24)}`,
  'A'.repeat(22),
  'B'.repeat(87),
]
/** A valid value for a field that the known input does not have. */
export const sampleOf = (schema: Schema): unknown => {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {})
  if (schema.type === 'array') return [sampleOf(schema.items ?? {})]
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]))
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  const shape = new RegExp(schema.pattern ?? '', 'iu')
  const fits = (text: string) =>
    shape.test(text) && text.length >= (schema.minLength ?? 0) && text.length <= (schema.maxLength ?? Infinity)
  return TEXTS.find(fits) ?? 'x'.repeat(schema.minLength ?? 1)
}

/** The input with `value` at `path`. Missing objects and lists on the way are added. */
export const withValue = (root: Schema, input: unknown, path: Step[], value: unknown): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return value
  const given = input ?? sampleOf(root)
  const inner = (typeof step === 'number' ? root.items : root.properties?.[step]) ?? {}
  const part = root.anyOf?.find(({ properties, items }) => (typeof step === 'number' ? items : properties?.[step]))
  if (part) return withValue(part, input ?? sampleOf(part), path, value)
  if (typeof step === 'number') {
    const list = Array.isArray(given) ? [...(given as unknown[])] : []
    list[step] = withValue(inner, list[step], rest, value)
    return list
  }
  const record = given as Record<string, unknown>
  return { ...record, [step]: withValue(inner, record[step], rest, value) }
}

const NUMBERS = [
  2 ** 31,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  -1,
  2 ** 31 - 1,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  -(2 ** 31),
  -(2 ** 31) - 1,
  -(2 ** 63),
  999_999_999,
  0,
  1.5,
  1e308,
  5e-324,
]
const LARGE = 90_000
const STRANGE_TEXTS = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\ud83d\ud83d',
  '',
  ' ',
  '0000-01-01T00:00:00.000000Z/1/1',
  '0000-12-31 23:59:59',
  '0000-01-01',
  '294277-01-01T00:00:00.000000Z/1/1',
  '294277-01-01 00:00:00',
  '294277-01-01',
  '0001-01-01T00:00:00.000000Z/0/0',
  '0001-01-01 00:00:00',
  '0001-01-01',
  '9999-12-31T23:59:59.999999Z/999999999/999999999',
  '9999-12-31 23:59:59',
  '9999-12-31',
  '2026-02-31 00:00:00',
  '2026-02-31',
  ...NUMBERS.map((number) => BigInt(Math.trunc(number)).toString()).filter((text) => text.length < 40),
  '99999999999999999999',
  '999999999999999999',
  '9999999999999999-999999999999999999',
  '0-0',
  '999999999999.9999',
  '-999999999999.9999',
  '1e9',
  'NaN',
  'infinity',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'x'.repeat(LARGE),
  '9'.repeat(LARGE),
  '\u{1f600}'.repeat(LARGE / 4),
  `data:image/png;base64,${'A'.repeat(1000)}`,
  'data:;base64,',
  '%_\\',
  '\'"`;--',
  '([{*+?^$|',
  '\u202e\u200b\ufeff',
  '/../..',
]
const OTHERS = [
  null,
  true,
  [],
  {},
  [[]],
  ['x', 1, null],
  { '\0': '\0' },
  { a: { b: { c: 'd' } } },
  JSON.parse('{"__proto__":{"a":1},"constructor":1,"length":5}') as unknown,
  Array.from({ length: 5000 }, (_, at) => at),
]

const typesOf = (schema: Schema): string[] => [
  ...(Array.isArray(schema.type) ? schema.type : [schema.type ?? '']),
  ...(schema.anyOf ?? []).flatMap(typesOf),
]

/** Hostile values for a field, the most dangerous first. */
export const hostileFor = ({ schema }: Field): unknown[] => {
  const types = typesOf(schema)
  const { maxLength, maximum } = schema
  const fitting = String(sampleOf(schema))
  const texts = [
    ...STRANGE_TEXTS,
    `${fitting}\0`,
    `${fitting}\ud800`,
    ...(maxLength && maxLength < LARGE
      ? ['x'.repeat(maxLength), '\u{1f600}'.repeat(maxLength / 2), `${'x'.repeat(maxLength - 1)}\0`]
      : []),
  ]
  const numbers = [...NUMBERS, ...(maximum === undefined ? [] : [maximum, maximum + 1])]
  const isNumber = types.includes('integer') || types.includes('number')
  const isText = types.includes('string')
  const first = [...(isText ? texts : []), ...(isNumber ? numbers : [])]
  return [...first, ...OTHERS, ...(isText ? [] : texts), ...(isNumber ? [] : numbers)]
}

/** Arguments for a socket event of a room: none, too many, and each hostile value as code, flag and mark. */
export const strangeArguments = (code: string): unknown[][] => {
  const values = [...STRANGE_TEXTS.filter(({ length }) => length < 100), ...NUMBERS, ...OTHERS.slice(0, -1)]
  return [
    [],
    [code, true, 1, 2, 3],
    ...values.flatMap((value) => [[value], [code, value], [[[value, 1]]], [[[code, value]]]]),
  ]
}
