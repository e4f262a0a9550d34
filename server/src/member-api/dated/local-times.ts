import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { localTime } from '@tallyroom/contract/member-api/transfers'
import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { z } from 'zod'
import type { JsonSchema } from '../samples.ts'

/** The fields of a schema that hold times in the installation's zone, with `*` for the rows of a list. */
const pathsIn = (schema: JsonSchema, path: readonly string[] = []): string[][] => {
  if (schema.description?.includes(localTime)) return [[...path]]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => pathsIn(field, [...path, name])),
    ...(schema.items ? pathsIn(schema.items, [...path, '*']) : []),
    ...(schema.anyOf ?? []).flatMap((one) => pathsIn(one, path)),
  ]
}
const fieldsOf = (type: z.ZodType, io: 'input' | 'output') =>
  pathsIn(resolveRefs(JSON.parse(JSON.stringify(z.toJSONSchema(type, { io, unrepresentable: 'any' })))) as JsonSchema)

const made = new Map<ApiName, { asked: string[][]; answered: string[][] }>()
/** Where a call takes and returns times in the installation's zone. */
export const localTimesOf = (name: ApiName): { asked: string[][]; answered: string[][] } => {
  const { request, response } = memberApi[name]
  const found = made.get(name) ?? { asked: fieldsOf(request, 'input'), answered: fieldsOf(response, 'output') }
  made.set(name, found)
  return found
}

/** A copy of a value with one of its fields, or that of each row, edited. */
export const editAt = (value: unknown, path: readonly string[], edit: (found: unknown) => unknown): unknown => {
  const [first, ...rest] = path
  if (first === undefined) return edit(value)
  if (first === '*') return Array.isArray(value) ? value.map((one) => editAt(one, rest, edit)) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return value
  return { ...value, [first]: editAt((value as Record<string, unknown>)[first], rest, edit) }
}
