import type { ApiName } from '@tallyroom/contract/member-api'
import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { openApi } from './openapi.ts'

type Content = { content: Record<string, { schema: Schema; example?: unknown }> }
type Document = {
  info: { description: string }
  'x-guides': { id: string; text: string }[]
  paths: Record<string, { post: { requestBody: Content; responses: Record<string, Content> } }>
  webhooks: Record<string, { post: { requestBody: Content } }>
}
const document = resolveRefs(JSON.parse(JSON.stringify(openApi())) as Document)

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
    expect(body?.required).toEqual(['id', 'event', 'at', 'data', 'seq', 'member_seq'])
    // An endpoint chooses whether it gets the text.
    const fields = Object.keys(body?.properties?.data?.properties ?? {}).filter((name) => name !== 'text')
    expect(body?.properties?.data?.required).toEqual(fields)
    expect(ajv.validate(body ?? {}, post.requestBody.content['application/json']?.example), ajv.errorsText()).toBe(true)
  }
  const example = document.webhooks['request.paid']?.post.requestBody.content['application/json']?.example
  expect(example).toMatchObject({ data: { state: 'paid' } })
})

test('[SET-06] the document says how long an event is tried: more than a day', () => {
  const [, hours] = /retried for (\d+) hours/.exec(document.info.description) ?? []
  expect(Number(hours)).toBeGreaterThan(24)
})

test('[API-10] [API-12] signatures are no parameters, schemas have names, and each operation an id that is a name', () => {
  const raw = openApi() as {
    paths: Record<string, { post: Operation }>
    webhooks: Record<string, { post: Operation }>
    components: { schemas: Record<string, object>; securitySchemes: object }
  }
  type Operation = { operationId: string; parameters?: unknown; requestBody: Content; responses: object }
  const operations = [...Object.values(raw.paths), ...Object.values(raw.webhooks)].map(({ post }) => post)
  for (const { operationId, parameters, requestBody } of operations) {
    expect([operationId, parameters]).toEqual([expect.stringMatching(/^[a-z][A-Za-z0-9]+$/), undefined])
    expect(schemaIn(requestBody)).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) as string })
  }
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { post } of Object.values(raw.webhooks)) expect(Object.keys(post.responses)).toEqual(['2XX'])
  const text = JSON.stringify(raw)
  for (const name of Object.keys(raw.components.schemas)) expect(text).toContain(`"#/components/schemas/${name}"`)
  expect(Object.keys(raw.components.schemas)).toEqual(expect.arrayContaining(['CashRequest', 'Transfer', 'Balance']))
})

test('[API-12] the document says how many of the two names of an account a call takes', () => {
  const fits = (call: ApiName, body: object) =>
    ajv.validate(schemaIn(document.paths[`/${call}`]?.post.requestBody) ?? {}, body)
  const names = [{}, { username: 'a' }, { third_party_id: 'b' }, { username: 'a', third_party_id: 'b' }]
  const bet = { bet_id: 'x', amount: '1' }
  expect(names.map((who) => fits('bet/report', { ...who, ...bet }))).toEqual([false, true, true, false])
  expect(names.map((who) => fits('cash/list', who))).toEqual([true, true, true, false])
})

test('[API-09] [API-10] a call and an event that the guides sign are signed as others do it', () => {
  const guideOf = (id: string) => document['x-guides'].find((guide) => guide.id === id)?.text ?? ''
  const [secret = '', path = '', timestamp = '', nonce = '', body = '', signature = ''] =
    (/To check your own code: (.*)/.exec(guideOf('signing'))?.[1] ?? '')
      .match(/`[^`]+`/g)
      ?.map((code) => code.slice(1, -1))
      .filter((code) => code !== 'POST') ?? []
  const signed = (text: string) =>
    createHmac('sha256', secret).update(`POST\n${path}\n${timestamp}\n${nonce}\n${text}`).digest('hex')
  expect(signature).toBe(signed(body))
  expect(guideOf('dated')).toContain(`\`${signed(`payment-4711\n${body}`)}\``)
  const [whsec = '', id = '', seconds = '', sent = '', given = ''] =
    /To check your own code: (.*)/
      .exec(guideOf('webhooks'))?.[1]
      ?.match(/`[^`]+`/g)
      ?.map((code) => code.slice(1, -1)) ?? []
  expect(given).toBe(new Webhook(whsec).sign(id, new Date(Number(seconds) * 1000), sent))
})
