import { type ApiDate, apiDates } from '@tallyroom/contract/api/dates'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { uuidOf } from '../../data/idempotency.ts'
import { Refused } from '../../lib/refusal.ts'
import { invalidFields } from '../invalid-fields.ts'
import type { JsonSchema } from '../samples.ts'
import { editAt, localTimesOf } from './local-times.ts'

/**
 * API-07: forms of the calls by date. A date changes how a call is written and answered, never what it does: problem
 * details with true statuses, `Idempotency-Key`, times in UTC, and one name for the cursor of every list. Stored outcomes
 * have no form, so a repeat may come in another one. A date is served for at least 24 months.
 */
export const DATES = apiDates
export type FormDate = ApiDate

export const noSuchForm = invalidFields([{ path: [], reason: `Tallyroom-Version is one of ${DATES.join(', ')}` }])

/** The form that a request asks for; undefined: that without a date. @throws Refused for a date that there is not */
export const formOf = (header: string | undefined): FormDate | undefined => {
  if (header === undefined || header === '') return undefined
  const date = DATES.find((known) => known === header)
  if (date) return date
  throw noSuchForm
}

/** A time in UTC; the parts of a second, which `toISOString` always writes, are dropped. */
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z$/
/** `YYYY-MM-DD HH:mm:ss`, as the reads write times in a zone, here UTC. */
const asIso = (time: unknown) => (typeof time === 'string' ? `${time.replace(' ', 'T')}Z` : time)

/** Cursors that have another name without a date. */
const cursorOf: Partial<Record<ApiName, { name: string; read: (text: string) => unknown }>> = {
  'transfer/list': { name: 'before', read: (text) => text },
  'cash/list': { name: 'before', read: (text) => (/^\d{1,10}$/.test(text) ? Number(text) : text) },
}
/** Fields that only the form without a date has. */
const droppedOf: Partial<Record<ApiName, readonly string[]>> = {
  'transfer/list': ['page', 'before'],
  'cash/list': ['before'],
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i
const KEY = /^"?([\x20-\x7e]{1,64}?)"?$/

export const isUuid = (text: string): boolean => UUID.test(text)
export const hasRequestId = (name: ApiName): boolean => 'request_id' in memberApi[name].request.shape

/** The `request_id` that the header `Idempotency-Key` stands for. @throws Refused when it is none, or another one is given */
const withKey = (name: ApiName, body: Record<string, unknown>, header: string | undefined) => {
  if (header === undefined || !hasRequestId(name)) return body
  const [, key] = KEY.exec(header) ?? []
  if (key === undefined)
    throw invalidFields([{ path: [], reason: 'Idempotency-Key has 1 to 64 printable ASCII characters' }])
  const id = isUuid(key) ? key.toLowerCase() : uuidOf(key)
  const { request_id: own } = body
  if (own !== undefined && (typeof own !== 'string' || own.toLowerCase() !== id))
    throw invalidFields([{ path: ['request_id'], reason: 'Differs from Idempotency-Key' }])
  return { ...body, request_id: id }
}

/** The body of a call in the form without a date. @throws Refused for what only that form has */
export const readIn = (
  name: ApiName,
  given: Record<string, unknown>,
  idempotencyKey: string | undefined,
): Record<string, unknown> => {
  const dropped = droppedOf[name]?.filter((field) => Object.hasOwn(given, field)) ?? []
  const notInUtc = localTimesOf(name).asked.filter(([field = '']) => {
    const time = given[field]
    return time !== undefined && !(typeof time === 'string' && TIME.test(time))
  })
  const [first, ...others] = [
    ...dropped.map((field) => ({ path: [field], reason: 'Unknown field' })),
    ...notInUtc.map((path) => ({ path, reason: 'Not a time in UTC, such as 2026-12-01T09:30:00Z' })),
  ]
  if (first) throw invalidFields([first, ...others])
  let body = withKey(name, given, idempotencyKey)
  for (const path of localTimesOf(name).asked)
    body = editAt(body, path, (time) => (typeof time === 'string' ? time.replace(TIME, '$1 $2') : time)) as Record<
      string,
      unknown
    >
  const cursor = cursorOf[name]
  if (!cursor || body['after'] === undefined) return body
  const { after, ...rest } = body
  return { ...rest, [cursor.name]: typeof after === 'string' ? cursor.read(after) : after }
}

/** The data of an answer, whose times are in UTC, as the form with a date writes it, and its status. */
export const writeOut = (name: ApiName, data: object): { status: number; body: object } => {
  let body: unknown = data
  for (const path of localTimesOf(name).answered) body = editAt(body, path, asIso)
  if (cursorOf[name]) body = editAt(body, ['next'], (next) => (typeof next === 'number' ? String(next) : next))
  const isWaiting = 'approval' in data && data.approval === 1
  return { status: isWaiting ? 202 : 200, body: body as object }
}

const nextText: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'null' }],
  description: 'Send it as `after` to get the rows that follow. Null: there are none.',
}
/** The schema of a request or an answer with the names that the form with a date has. */
export const renamedFields = (name: ApiName, schema: JsonSchema): JsonSchema => {
  const cursor = cursorOf[name]
  if (!cursor) return schema
  if (schema.properties?.['next']) return { ...schema, properties: { ...schema.properties, next: nextText } }
  const { [cursor.name]: after = {}, ...properties } = schema.properties ?? {}
  for (const field of droppedOf[name] ?? []) delete properties[field]
  const text = { type: 'string', description: after.description ?? '' }
  return { ...schema, properties: { ...properties, after: text } }
}

/** Names the fields of a refusal as the form with a date does. */
export const renamed = (name: ApiName, error: unknown): unknown => {
  const cursor = cursorOf[name]
  if (!cursor || !(error instanceof Refused) || error.refusal !== 'request.invalid') return error
  const { field, errors } = error.data as { field: string; errors: { pointer: string; reason: string }[] }
  return new Refused('request.invalid', {
    field: field === cursor.name ? 'after' : field,
    errors: errors.map((one) => (one.pointer === `/${cursor.name}` ? { ...one, pointer: '/after' } : one)),
  })
}
