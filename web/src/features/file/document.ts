import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { configured } from '../../lib/config.ts'
import { answerLinesOf, type FieldLine, type Schema } from './schema-lines.ts'

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

export const bodyOf = (call: { requestBody: Content }) => call.requestBody.content['application/json'].schema
/** The data of a successful answer, which is the first variant. */
const dataOf = (call: Call) => {
  const schema = call.responses[200].content?.['application/json'].schema
  return (schema?.oneOf?.[0] ?? schema)?.properties?.data
}

export const answerLines = (call: Call): FieldLine[] => answerLinesOf(dataOf(call))

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
