import { configured } from '../../lib/config.ts'

type Schema = {
  type?: string | string[]
  format?: string
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
type Content = { content: { 'application/json': { schema: Schema } } }
type Call = { summary: string; requestBody: Content; responses: { 200: Partial<Content> } }
export type Document = {
  info: { title: string; description: string }
  servers: { url: string }[]
  paths: Record<string, { post: Call }>
  webhooks: Record<string, { post: Call }>
}
export type FieldLine = { name: string; type: string; required: boolean }

export const DOCUMENT = '/member-api/v1/openapi.json'

export const loadDocument = async (): Promise<Document> => {
  const { api } = await configured()
  const answer = await fetch(`${api}${DOCUMENT}`)
  if (!answer.ok) throw new Error(String(answer.status))
  return (await answer.json()) as Document
}

const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : ''}[]`
  const name = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? '')
  const length = schema.maxLength === undefined ? '' : ` (${schema.minLength ?? 0}–${schema.maxLength})`
  return `${name}${schema.format ? ` ${schema.format}` : ''}${length}`
}

/** The fields of a schema; nested ones with their path. */
export const linesOf = (schema: Schema | undefined, before = '', depth = 0): FieldLine[] =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.type === 'array' ? field.items : field
    const here = `${before}${name}${field.type === 'array' ? '[]' : ''}`
    const line = { name: here, type: typeOf(field), required: schema?.required?.includes(name) ?? false }
    return [line, ...(depth < 3 ? linesOf(inner, `${here}.`, depth + 1) : [])]
  })

export const bodyOf = (call: Call) => call.requestBody.content['application/json'].schema
/** The data of a successful answer, which is the first variant. */
export const dataOf = (call: Call) => {
  const schema = call.responses[200].content?.['application/json'].schema
  return (schema?.oneOf?.[0] ?? schema)?.properties?.data
}

/** An example call to paste and run with Node 20 alone. */
export const exampleOf = (base: string) => `import { createHmac, randomUUID } from 'node:crypto'

const key = 'tk_…'
const secret = '…'

const call = async (name, body) => {
  const path = \`/member-api/v1/\${name}\`
  const text = JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = randomUUID()
  const signature = createHmac('sha256', secret)
    .update(\`POST\\n\${path}\\n\${timestamp}\\n\${nonce}\\n\${text}\`)
    .digest('hex')
  const answer = await fetch(\`${base}\${path}\`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Tallyroom-Key': key,
      'X-Tallyroom-Timestamp': timestamp,
      'X-Tallyroom-Nonce': nonce,
      'X-Tallyroom-Signature': signature,
    },
    body: text,
  })
  return answer.json()
}

console.log(await call('member/add', { username: 'ann88', request_id: randomUUID() }))
`
