import { resolveRefs } from '../contract/text/resolve-refs.ts'
import { openApi } from '../server/src/member-api/openapi.ts'
import { answerLinesOf, type FieldLine, linesOf, type Schema } from '../web/src/features/file/schema-lines.ts'
import { markdownTable } from './markdown-table.ts'
import { wrapped } from './settings-page.ts'

type Content = { content?: { 'application/json'?: { schema?: Schema; example?: unknown } } }
type Refusal = { status: number; code: number; name: string; message: string }
type Call = {
  tags: string[]
  summary: string
  description: string
  requestBody: Content
  responses: Record<string, Content>
  'x-refusals': Refusal[]
}
type Document = {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, { post: Call }>
  webhooks: Record<string, { post: Pick<Call, 'summary' | 'requestBody'> }>
  'x-guides': { id: string; title: string; text: string; samples: { lang: string; source: string }[] }[]
  'x-refusals': Refusal[]
}

const COLUMNS = 100

/** A text of the document as paragraphs and lists that wrap as our pages do. */
const prose = (text: string) =>
  text
    .split('\n')
    .map((line) => {
      const [, lead = ''] = /^(- )/.exec(line) ?? []
      return wrapped(line.slice(lead.length), COLUMNS - lead.length)
        .map((part, at) => `${at === 0 ? lead : ' '.repeat(lead.length)}${part}`)
        .join('\n')
    })
    .join('\n')

const code = (language: string, source: string) => `\`\`\`${language}\n${source.trim()}\n\`\`\``
const asJson = (value: unknown) => code('json', JSON.stringify(value, undefined, 2))

/** The fields as rows of a table: path, type, whether it is required, meaning. */
const rowsOf = (lines: FieldLine[]): string[][] =>
  lines.map(({ name, type, required, description }) => [
    `\`${name}\``,
    type,
    required ? 'yes' : '',
    description.replaceAll('\n', ' '),
  ])

const refusalTable = (rows: Refusal[]) =>
  markdownTable(
    ['Status', 'Code', 'Name', 'Message'],
    rows.map(({ status, code: number, name, message }) => [String(status), String(number), `\`${name}\``, message]),
  )

/** docs/api.md: the member API, from the document that the server makes of its schemas. */
export const apiPage = (): string => {
  const document = resolveRefs(openApi() as Document)
  const [{ url } = { url: '' }] = document.servers
  const bodyOf = ({ content }: Content) => content?.['application/json']
  const fields = (heading: string, rows: string[][], withRequired: boolean) =>
    rows.length === 0
      ? []
      : [
          `${heading}:`,
          markdownTable(
            ['Field', 'Type', ...(withRequired ? ['Required'] : []), 'Meaning'],
            rows.map((row) => (withRequired ? row : row.filter((_, at) => at !== 2))),
          ),
        ]
  const callPart = ([path, { post }]: [string, { post: Call }]) => {
    const [request, answer] = [bodyOf(post.requestBody), bodyOf(post.responses[200] ?? {})]
    const success = answer?.schema?.oneOf?.[0] ?? answer?.schema
    return [
      `### ${post.summary}`,
      `\`POST ${url}${path}\``,
      prose(post.description),
      ...fields('Request', rowsOf(linesOf(request?.schema)), true),
      ...(request?.example === undefined ? [] : [asJson(request.example)]),
      ...fields('Answer, in `data`', rowsOf(answerLinesOf(success?.properties?.data)), false),
      ...(answer?.example === undefined ? [] : [asJson(answer.example)]),
      ...(post['x-refusals'].length > 0 ? ['Its own refusals:', refusalTable(post['x-refusals'])] : []),
    ]
  }
  const parts = [
    '# Member API',
    '<!-- Written by `npm run reference` from contract/member-api.ts. -->',
    prose(
      'The calls that the servers of a platform make, and the events that Tallyroom sends them. [Integrators](guides/integrators.md) says how to begin. As an OpenAPI document it is at `/member-api/v1/openapi.json` of every installation, without an account; in the back office under "API integration doc", with examples in cURL and TypeScript.',
    ),
    ...document['x-guides'].flatMap(({ id, title, text, samples }) => [
      `## ${title}`,
      prose(text),
      ...(id === 'answers' ? [refusalTable(document['x-refusals'])] : []),
      ...samples.slice(0, 1).map(({ lang, source }) => code(lang === 'TypeScript' ? 'ts' : '', source)),
    ]),
    ...document.tags.flatMap(({ name, description }) => [
      `## ${name}`,
      prose(description),
      ...Object.entries(document.paths)
        .filter(([, { post }]) => post.tags.includes(name))
        .flatMap(callPart),
    ]),
    '## Events',
    ...Object.entries(document.webhooks).flatMap(([name, { post }]) => {
      const body = bodyOf(post.requestBody)
      return [
        `### ${name}`,
        prose(post.summary),
        ...fields('What is sent', rowsOf(answerLinesOf(body?.schema)), false),
        ...(body?.example === undefined ? [] : [asJson(body.example)]),
      ]
    }),
  ]
  return `${parts.join('\n\n')}\n`
}
