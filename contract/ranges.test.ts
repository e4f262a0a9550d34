import { expect, test } from 'vitest'
import { z } from 'zod'
import { callNames, declared } from './index.ts'
import { memberApi } from './member-api.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
}

/**
 * Longer than a schema says: the handler counts the characters of a text, and an image is as large as a body may be.
 */
const COUNTED_BY_ITS_HANDLER = [
  'desk/whisper content',
  'message/schedule content',
  'sendMessage content',
  'factor/sendPhoneCode mobile',
  'recovery/sendCode mobile',
]
/** In a 64-bit column. */
const LARGE_NUMBERS = ['room/sync version', 'member-api/event/list after_seq']

const without = (schema: Schema, path: string): string[] => {
  if (schema.const !== undefined || schema.enum) return []
  if (schema.anyOf) return schema.anyOf.flatMap((one) => without(one, path))
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => without(one, `${path} ${name}`))
  if (schema.type === 'array') return [...(schema.maxItems ? [] : [path]), ...without(schema.items ?? {}, `${path}[]`)]
  if (schema.type === 'string') return schema.maxLength || schema.pattern ? [] : [path]
  if (schema.type !== 'integer' && schema.type !== 'number') return []
  const { minimum = schema.exclusiveMinimum ?? -Infinity, maximum = Infinity } = schema
  return minimum >= -(2 ** 31) && maximum < 2 ** 31 ? [] : [path]
}

test('[S5] every field of a request has a range that the database can hold', () => {
  const requests = [
    ...callNames.map((name) => [name, declared(name).request] as const),
    ...Object.entries(memberApi).map(([name, { request }]) => [`member-api/${name}`, request] as const),
  ]
  const open = requests.flatMap(([name, request]) =>
    without(z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }) as Schema, name),
  )
  expect(open.toSorted()).toEqual([...COUNTED_BY_ITS_HANDLER, ...LARGE_NUMBERS].toSorted())
})
