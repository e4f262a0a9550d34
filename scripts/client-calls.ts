import { memberApi, type ApiName } from '../contract/member-api.ts'
import { datedDocument } from '../server/src/member-api/dated/document.ts'
import { DATES } from '../server/src/member-api/dated/form.ts'
import { nameIn } from '../server/src/member-api/openapi.ts'
import { documentedRefusals } from '../server/src/member-api/refusals.ts'
import type { JsonSchema } from '../server/src/member-api/samples.ts'
import { wrapped } from './settings-page.ts'

type Schema = Omit<JsonSchema, 'properties' | 'items' | 'anyOf'> & {
  default?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}
type Document = {
  paths: Record<string, { post: { summary: string; description: string } }>
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Record<string, { schema: Schema }> } } }>
  components: { schemas: Record<string, Schema> }
}

const COLUMNS = 120
const PROBLEM = /^Problem/

const docOf = (text: string | undefined, indent: string): string => {
  if (!text) return ''
  const [line = '', ...more] = text.split('\n').flatMap((part) => wrapped(part, COLUMNS - indent.length - 7))
  if (more.length === 0) return `${indent}/** ${line} */\n`
  return `${indent}/**\n${[line, ...more].map((one) => `${indent} * ${one}`.trimEnd()).join('\n')}\n${indent} */\n`
}
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
const union = (types: string[]) => [...new Set(types)].join(' | ')

/** `isAsked`: fields that may be missing may also be undefined, as in a request that is put together. */
const writer = (isAsked: boolean) => {
  const fields = (schema: Schema, names: string[], required: ReadonlySet<string>, indent: string): string =>
    names
      .map((name) => {
        const field = schema.properties?.[name] ?? {}
        const [mark, or] = required.has(name) ? ['', ''] : ['?', isAsked ? ' | undefined' : '']
        const fallback =
          ['', undefined].includes(field.default as string) || Array.isArray(field.default)
            ? ''
            : ` Default: ${String(field.default)}.`
        return `${docOf(`${field.description ?? ''}${fallback}`, indent)}${indent}${name}${mark}: ${typeOf(field, indent)}${or}\n`
      })
      .join('')
  const objectOf = (schema: Schema, indent: string): string => {
    const all = Object.keys(schema.properties ?? {})
    if (all.length === 0)
      return schema.additionalProperties === false ? 'Record<never, never>' : 'Record<string, unknown>'
    const block = (names: string[], required: ReadonlySet<string>) =>
      `{\n${fields(schema, names, required, `${indent}  `)}${indent}}`
    const choices = choicesOf(schema)
    const chosen = new Set(choices.flatMap(({ names }) => names))
    const others = all.filter((name) => !chosen.has(name))
    const parts = choices.map(({ type, names }) => `${type}<${block(names, new Set(names))}>`)
    if (others.length > 0) parts.push(block(others, new Set(schema.required)))
    return parts.join(' & ')
  }
  const typeOf = (schema: Schema, indent: string): string => {
    if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown'
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum) return union(schema.enum.map(literal))
    if (schema.properties) return objectOf(schema, indent)
    const either = schema.anyOf ?? schema.oneOf
    if (either) return union(either.map((one) => typeOf(one, indent)))
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)))
    if (schema.type === 'array') {
      const item = typeOf(schema.items ?? {}, indent)
      return / [|&] /.test(item) ? `(${item})[]` : `${item}[]`
    }
    if (schema.type === 'object') return objectOf(schema, indent)
    if (schema.type === 'integer') return 'number'
    return schema.type ?? 'unknown'
  }
  return typeOf
}

/** The fields of which a request has exactly one, or at least one. */
const choicesOf = (schema: Schema): { type: string; names: string[] }[] =>
  [schema, ...(schema.allOf ?? [])].flatMap(({ oneOf, anyOf }) =>
    [
      { type: 'OneOf', rules: oneOf ?? [] },
      { type: 'SomeOf', rules: anyOf ?? [] },
    ].flatMap(({ type, rules }) => {
      const names = rules.flatMap(({ required }) => required ?? [])
      return names.length > 0 ? [{ type, names }] : []
    }),
  )

/** The fields that say where a page begins, in the request and in the answer before. */
const cursors = [
  ['after', 'next'],
  ['after_seq', 'next'],
  ['after_seq', 'next_seq', 'more'],
] as const

/** client/calls.ts: the types of all calls and events, in the newest dated form. */
export const clientCalls = (): string => {
  const date = DATES.at(-1)
  const { paths, webhooks, components } = datedDocument(DATES[DATES.length - 1] ?? DATES[0]) as Document
  const { schemas } = components
  const names = Object.keys(memberApi) as ApiName[]
  const requestOf = (name: ApiName): Schema => {
    const { request_id: _, ...properties } = schemas[`${nameIn(name)}Request`]?.properties ?? {}
    return { ...schemas[`${nameIn(name)}Request`], properties }
  }
  const cursorOf = (name: ApiName) => {
    const answered = schemas[`${nameIn(name)}Answer`]?.properties ?? {}
    return cursors.find(
      ([asked, ...fields]) => asked in (requestOf(name).properties ?? {}) && fields.every((field) => field in answered),
    )
  }
  const isWrite = (name: ApiName) => memberApi[name].effect === 'write'
  const requests = new Map(names.map((name) => [`${nameIn(name)}Request`, name]))
  const types = Object.entries(schemas)
    .filter(([name]) => (!PROBLEM.test(name) && !name.endsWith('Event')) || name === 'Event')
    .map(([name, schema]) => {
      const call = requests.get(name)
      const type = writer(call !== undefined)(call ? requestOf(call) : schema, '')
      return `export type ${name} = ${type}\n`
    })

  const callOf = (name: ApiName, method: string) => {
    const { post } = paths[`/${name}`] ?? { post: { summary: '', description: '' } }
    const own = nameIn(name)
    const { required = [], ...input } = requestOf(name)
    const isOptional = required.every((field) => field === 'request_id') && choicesOf(input).length === 0
    const options = isWrite(name) ? 'WriteOptions' : 'CallOptions'
    const answer = cursorOf(name) ? `List<${own}Answer>` : `Promise<${own}Answer>`
    const refuses = memberApi[name].refuses.map((refusal) => `\`${refusal}\``).join(', ')
    const doc = docOf(`${post.summary}. ${post.description}${refuses ? `\nRefused with ${refuses}.` : ''}`, '    ')
    return `${doc}    ${method}: (input${isOptional ? '?' : ''}: ${own}Request, options?: ${options}) => ${answer}\n`
  }
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const [group = '', method = ''] = name
      .split('/')
      .map((part) => part.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    groups.set(group, [...(groups.get(group) ?? []), callOf(name, method)])
  }
  const kinds = names.map((name) => {
    const cursor = cursorOf(name)
    const parts = [
      ...(isWrite(name) ? ['isWrite: true'] : []),
      ...(cursor ? [`cursor: [${cursor.map(literal).join(', ')}]`] : []),
    ]
    return `  '${name}': {${parts.length > 0 ? ` ${parts.join(', ')} ` : ''}},\n`
  })
  const refusals = [...new Set(names.flatMap(documentedRefusals))].sort()
  const common = new Set(['type', 'title', 'status', 'detail', 'instance', 'refusal', 'code'])
  const facts = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
    const own = Object.fromEntries(Object.entries(properties).filter(([field]) => !common.has(field)))
    if (!PROBLEM.test(name) || Object.keys(own).length === 0) return []
    const type = writer(false)({ type: 'object', properties: own, required: Object.keys(own) }, '  ')
    return [`  ${literal(properties['refusal']?.const)}: ${type}\n`]
  })
  const events = Object.entries(webhooks).map(([name, { post }]) => {
    const { data } = schemas[`${nameIn(name)}Event`]?.properties ?? {}
    return `${docOf(post.summary, '  ')}  '${name}': ${writer(false)({ $ref: data?.$ref ?? '' }, '  ')}\n`
  })

  return [
    '// Written by `npm run reference` from contract/member-api.ts.\n',
    "import type { CallOptions, List, WriteOptions } from './options.ts'\n",
    `/** The form by date that the client speaks. */\nexport const VERSION = '${date}'\n`,
    '/** Exactly one of these fields. */',
    'export type OneOf<T> = {',
    '  [K in keyof T]: { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: undefined }',
    '}[keyof T]',
    '/** At least one of these fields. */',
    'export type SomeOf<T> = {',
    '  [K in keyof T]: { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: T[P] | undefined }',
    '}[keyof T]\n',
    ...types,
    `/** The calls in groups, as they are named. */\nexport type Calls = {\n${[...groups].map(([group, calls]) => `  ${group}: {\n${calls.join('')}  }\n`).join('')}}\n`,
    `/** The names of refusals. */\nexport type Refusal =\n${refusals.map((name) => `  | '${name}'\n`).join('')}`,
    `/** What refusals say beside their names. */\nexport type Facts = {\n${facts.join('')}}\n`,
    `/** The data of events. */\nexport type Events = {\n${events.join('')}}\n`,
    `/** Which calls are writes, and the fields by which a list goes on. */\nexport const calls = {\n${kinds.join('')}} as const`,
    '',
  ].join('\n')
}
