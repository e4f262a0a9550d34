import type { ApiName } from '@tallyroom/contract/member-api'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { openApi } from './openapi.ts'

type Content = { content: Record<string, { schema: Schema; example?: unknown }> }
type Document = {
  info: { description: string }
  paths: Record<string, { post: { requestBody: Content; responses: Record<string, Content> } }>
  webhooks: Record<string, { post: { requestBody: Content } }>
}
const document = JSON.parse(JSON.stringify(openApi())) as Document

type Schema = {
  description?: string
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
}
const schemaIn = (found: Content | undefined) => found?.content['application/json']?.schema
/** The paths of fields without a description. */
const mute = (schema: Schema | undefined, at: string): string[] => [
  ...Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${at} ${name}`]),
    ...mute(field, `${at} ${name}`),
  ]),
  ...(schema?.items ? mute(schema.items, at) : []),
]

test('[SET-06] every field of a request, an answer and a webhook says what it means', () => {
  const silent = [
    ...Object.entries(document.paths).flatMap(([path, { post }]) => [
      ...mute(schemaIn(post.requestBody), path),
      ...mute(schemaIn(post.responses[200])?.oneOf?.[0]?.properties?.data, path),
    ]),
    ...Object.entries(document.webhooks).flatMap(([name, { post }]) => mute(schemaIn(post.requestBody), name)),
  ]
  expect(silent).toEqual([])
})

const ajv = formats.default(new Ajv2020({ allErrors: true, strictTypes: false }))

test('[SET-06] the document has the amounts that are taken, and all fields of events as required', () => {
  const takes = (call: ApiName, field: string, text: string) =>
    new RegExp(schemaIn(document.paths[`/${call}`]?.post.requestBody)?.properties?.[field]?.pattern ?? 'none').test(
      text,
    )
  const texts = ['0', '0.0', '-1', '0.0001', '12', '0012.5', '1.00000']
  const fitting = (call: ApiName, field: string) => texts.filter((text) => takes(call, field, text))
  expect(fitting('bet/report', 'amount')).toEqual(['0.0001', '12', '0012.5'])
  expect(fitting('cash/ask', 'amount')).toEqual(['0.0001', '12', '0012.5'])
  expect(fitting('bet/report', 'valid')).toEqual(['0', '0.0', '0.0001', '12', '0012.5'])
  for (const { post } of Object.values(document.webhooks)) {
    const body = schemaIn(post.requestBody)
    expect(body?.required).toEqual(['id', 'event', 'at', 'data'])
    expect(body?.properties?.data?.required).toEqual(Object.keys(body?.properties?.data?.properties ?? {}))
    expect(ajv.validate(body ?? {}, post.requestBody.content['application/json']?.example), ajv.errorsText()).toBe(true)
  }
  const example = document.webhooks['request.paid']?.post.requestBody.content['application/json']?.example
  expect(example).toMatchObject({ data: { state: 'paid' } })
})

test('[SET-06] the document says how long an event is tried: more than a day', () => {
  const [, hours] = /retried for (\d+) hours/.exec(document.info.description) ?? []
  expect(Number(hours)).toBeGreaterThan(24)
})
