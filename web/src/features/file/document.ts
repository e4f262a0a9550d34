import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { configured } from '../../lib/config.ts'

type Schema = {
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
type Content = { content: { 'application/json': { schema: Schema; example?: unknown } } }
export type CodeSample = { lang: string; source: string }
export type RefusalRow = { status: number; code: number; name: string; message: string }
export type Call = {
  tags: string[]
  summary: string
  description: string
  requestBody: Content
  responses: { 200: Partial<Content> }
  'x-refusals': RefusalRow[]
  'x-codeSamples': CodeSample[]
}
type Event = { summary: string; requestBody: Content }
export type Guide = { id: string; title: string; text: string; samples: CodeSample[] }
/** The OpenAPI document that the server makes from its schemas, with what only this page reads in `x-`. */
export type Document = {
  info: { title: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, { post: Call }>
  webhooks: Record<string, { post: Event }>
  'x-guides': Guide[]
  'x-refusals': RefusalRow[]
}
export type FieldLine = { name: string; type: string; required: boolean; description: string }

export const DOCUMENT = '/member-api/v1/openapi.json'
/** Stands for the installation's address in the examples. */
const ORIGIN = 'https://tallyroom.example'

export const loadDocument = async (): Promise<Document> => {
  const { api } = await configured()
  const answer = await fetch(`${api}${DOCUMENT}`)
  if (!answer.ok) throw new Error(String(answer.status))
  const text = await answer.text()
  return resolveRefs(JSON.parse(text.replaceAll(ORIGIN, api || window.location.origin)) as Document)
}

const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.type === 'array') {
    const item = schema.items ? typeOf(schema.items) : ''
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
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

export const bodyOf = (call: { requestBody: Content }) => call.requestBody.content['application/json'].schema
/** The data of a successful answer, which is the first variant. */
const dataOf = (call: Call) => {
  const schema = call.responses[200].content?.['application/json'].schema
  return (schema?.oneOf?.[0] ?? schema)?.properties?.data
}

/** The fields of an answer's data. All are always there, so none is marked as required. */
export const answerLines = (call: Call): FieldLine[] =>
  linesOf(dataOf(call)).map((line) => ({ ...line, required: false }))

const asJson = (value: unknown): CodeSample[] => [{ lang: 'JSON', source: JSON.stringify(value, undefined, 2) }]
export const answerExample = (call: Call) => asJson(call.responses[200].content?.['application/json'].example)
export const eventExample = (event: Event) => asJson(event.requestBody.content['application/json'].example)

/** The entries of the index: the guides, then each part with its calls, then the webhooks. */
export const entriesOf = (document: Document) => ({
  guides: document['x-guides'].map(({ id, title }) => ({ id, title })),
  parts: document.tags
    .map(({ name, description }) => ({
      name,
      description,
      calls: Object.entries(document.paths)
        .filter(([, { post }]) => post.tags.includes(name))
        .map(([path, { post }]) => ({ id: path.slice(1).replaceAll('/', '-'), path, call: post })),
    }))
    // Webhooks have a tag too.
    .filter(({ calls }) => calls.length > 0),
  events: Object.entries(document.webhooks).map(([name, { post }]) => ({
    id: `event-${name.replaceAll('.', '-')}`,
    name,
    event: post,
  })),
})
export type Entries = ReturnType<typeof entriesOf>
