import { type ErrorName, errors } from '@tallyroom/contract'
import type { ApiName } from '@tallyroom/contract/member-api'
import { localTime } from '@tallyroom/contract/member-api/transfers'
import { nameIn, openApi, retryAfter } from '../openapi.ts'
import { dataOf, documentedRefusals } from '../refusals.ts'
import type { JsonSchema } from '../samples.ts'
import { apiWords } from '../words.ts'
import { type FormDate, hasRequestId, renamedFields } from './form.ts'
import { PROBLEM_TYPE, problemStatus, problemTitle, problemType } from './problem.ts'

type Schemas = Record<string, JsonSchema>
type Response = {
  description: string
  headers?: object
  content?: Record<string, { schema: JsonSchema; example?: unknown }>
}
type Operation = {
  requestBody: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, Response>
  parameters?: object[]
  'x-refusals': { name: ErrorName; status: number }[]
}
type Document = {
  info: { version: string; description: string }
  security: Record<string, string[]>[]
  'x-guides': { id: string; title: string; text: string }[]
  'x-refusals': { name: ErrorName; status: number }[]
  paths: Record<string, { post: Operation }>
  components: { schemas: Schemas; securitySchemes: Record<string, object>; responses: Record<string, Response> }
}

/** Guides of the form without a date that say something else than this one. */
const REPLACED = new Set(['answers', 'times', 'dated'])

const utc = 'In UTC, as in ISO 8601, to the second.'
/** An object of the document with its times in UTC. */
const inUtc = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inUtc)
  if (typeof value === 'string') return value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/, '$1T$2Z')
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inUtc(one)]))
  const { description, pattern: _, ...rest } = inner
  if (typeof description !== 'string' || !description.includes(localTime)) return inner
  const time = { ...rest, description: description.replace(localTime, utc) }
  return 'anyOf' in rest ? time : { ...time, format: 'date-time' }
}

/** The facts that refusals add as members of the problem, by the document's own schema names. */
const ofData: Partial<Record<ErrorName, string>> = { 'request.invalid': 'InvalidFields', ...dataOf }
const dataSchemas = [...new Set(Object.values(ofData))]
const ofFailures: Partial<Record<ErrorName, Record<string, JsonSchema>>> = {
  'api.not_allowed': { right: { type: 'string', description: 'The right that the key lacks.' } },
  'api.wrong_address': { address: { type: 'string', description: 'The address that the call came from.' } },
  'request.too_often': { seconds: { type: 'integer', description: 'Seconds to wait.' } },
  'api.over_rate': {
    seconds: { type: 'integer', description: 'Seconds to wait.' },
    per_second: { type: 'integer', description: 'Calls that the key may make in a second.' },
  },
  'server.failed': { id: { type: 'string', description: 'The id of the call in our log.' } },
}

const problemSchema = (name: ErrorName, schemas: Schemas): JsonSchema => {
  const own = ofData[name]
  const members = (own ? schemas[own]?.properties : ofFailures[name]) ?? {}
  const text = (description: string, more: JsonSchema = {}) => ({ type: 'string', description, ...more })
  const base: Record<string, JsonSchema> = {
    type: { const: problemType(name), description: 'The kind of problem: an address below that of the installation.' },
    title: text('The same for each problem of its kind, in English.', { const: problemTitle(name) }),
    status: { const: problemStatus(name), description: 'The HTTP status.' },
    detail: text('What is wrong, in the language of `Accept-Language`.'),
    instance: text('This call, as our log names it.'),
    refusal: { const: name, description: 'The name of the refusal.' },
    code: { const: errors[name], description: 'Its code in the form without a date.' },
  }
  const required = Object.keys(name === 'request.invalid' ? { ...base, ...members } : base)
  return { type: 'object', required, properties: { ...base, ...members }, additionalProperties: false }
}
const schemaName = (name: ErrorName) => `Problem${nameIn(name)}`

/** The OpenAPI document of a dated form, made from that without a date. */
export const datedDocument = (date: FormDate): object => {
  const document = inUtc(structuredClone(openApi())) as Document
  const { schemas } = document.components
  const used = new Set<ErrorName>()
  const problems = (name: ApiName): Record<string, Response> => {
    const byStatus = new Map<number, ErrorName[]>()
    for (const refusal of new Set(documentedRefusals(name))) {
      used.add(refusal)
      const status = problemStatus(refusal)
      byStatus.set(status, [...(byStatus.get(status) ?? []), refusal])
    }
    const responses = [...byStatus].map(([status, refusals]): [string, Response] => {
      const refs = refusals.map((one) => ({ $ref: `#/components/schemas/${schemaName(one)}` }))
      const [only] = refs
      const schema = refs.length === 1 && only ? only : { anyOf: refs }
      const retry = status === 429 || status === 503
      return [
        String(status),
        {
          description: refusals.map((one) => `${one}: ${apiWords('en', one)}`).join('\n'),
          ...(retry ? retryAfter('Seconds to wait.') : {}),
          content: { [PROBLEM_TYPE]: { schema } },
        },
      ]
    })
    return Object.fromEntries(responses)
  }
  for (const [path, { post }] of Object.entries(document.paths)) {
    const name = path.slice(1) as ApiName
    const own = nameIn(name)
    const example = post.responses['200']?.content?.['application/json']?.example as { data: unknown } | undefined
    const schema = { $ref: `#/components/schemas/${own}Answer` }
    delete schemas[`${own}Refusal`]
    const replayed = hasRequestId(name)
      ? {
          headers: {
            'Idempotency-Replayed': {
              description: 'true: the outcome of an earlier call.',
              schema: { type: 'string' },
            },
          },
        }
      : {}
    const success = (description: string): Response => ({
      description,
      ...replayed,
      content: { 'application/json': { schema, ...(example ? { example: example.data } : {}) } },
    })
    const waits = 'approval' in ((schemas[`${own}Answer`]?.properties ?? {}) as object)
    post.responses = {
      200: success('Success.'),
      ...(waits ? { 202: success('It waits for approval: `approval` is 1.') } : {}),
      ...problems(name),
    }
    for (const part of [`${own}Request`, `${own}Answer`]) schemas[part] = renamedFields(name, schemas[part] ?? {})
    if (hasRequestId(name)) {
      const { required, ...request } = schemas[`${own}Request`] ?? {}
      const needed = required?.filter((field) => field !== 'request_id') ?? []
      schemas[`${own}Request`] = { ...request, ...(needed.length > 0 ? { required: needed } : {}) }
      post.parameters = [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'In place of `request_id`: 1 to 64 printable characters, of your choice for each write.',
          schema: { type: 'string', minLength: 1, maxLength: 66 },
        },
      ]
    }
    post['x-refusals'] = post['x-refusals'].map((row) => ({ ...row, status: problemStatus(row.name) }))
  }
  for (const name of used) schemas[schemaName(name)] = problemSchema(name, schemas)
  for (const name of dataSchemas) delete schemas[name]
  const form = document['x-guides'].find(({ id }) => id === 'dated')
  const guides = document['x-guides'].filter(({ id }) => !REPLACED.has(id))
  document['x-guides'] = form ? [form, ...guides] : guides
  document['x-refusals'] = document['x-refusals'].map((row) => ({ ...row, status: problemStatus(row.name) }))
  document.info = {
    ...document.info,
    version: date,
    description: document['x-guides'].map(({ title, text }) => `# ${title}\n\n${text}`).join('\n\n'),
  }
  document.components.securitySchemes['Tallyroom-Version'] = {
    type: 'apiKey',
    in: 'header',
    name: 'Tallyroom-Version',
    description: `Always ${date}.`,
  }
  document.security = document.security.map((all) => ({ ...all, 'Tallyroom-Version': [] }))
  document.components.responses = {}
  return document
}
