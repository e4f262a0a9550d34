import { type ErrorName, errors, OK } from '@tallyroom/contract'
import { apiParts, type ApiName, type MemberApi, memberApi } from '@tallyroom/contract/member-api'
import { eventFields } from '@tallyroom/contract/member-api/events'
import { apiRights } from '@tallyroom/contract/api/rights'
import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { z } from 'zod'
import { wordsFor } from '../lib/words.ts'
import { eventData, events, whole } from './events/kinds.ts'
import { guides, guideText } from './guides/guides.ts'
import { dataOf, commonRefusals, failures, refusalRows, refusalsWith200 } from './refusals.ts'
import { answerSample, type JsonSchema, PREFIX, requestSample, samplesOf } from './samples.ts'
import { apiWords } from './words.ts'

const ofSignature = {
  'X-Tallyroom-Key': 'The name of your key.',
  'X-Tallyroom-Timestamp': 'Seconds since 1970.',
  'X-Tallyroom-Nonce': '16 to 64 letters, digits, - or _.',
}
const ofCall = { ...ofSignature, 'X-Tallyroom-Signature': 'HMAC-SHA256 in hex.' }
const ofWebhook = {
  ...ofSignature,
  'X-Tallyroom-Webhook-Signature': 'HMAC-SHA256 in hex, over the text that begins with `webhook`.',
}
/** The headers are only here: as parameters of each call, clients would ask for them with each call. */
const securitySchemes = Object.fromEntries(
  Object.entries({ ...ofCall, ...ofWebhook }).map(([name, description]) => [
    name,
    { type: 'apiKey', in: 'header', name, description },
  ]),
)
const allOf = (headers: Record<string, string>) => [Object.fromEntries(Object.keys(headers).map((name) => [name, []]))]

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: unknown, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})

const answer = (code: object, data: unknown, more: Record<string, object> = {}) => ({
  type: 'object',
  required: ['code', 'message', 'data', ...Object.keys(more)],
  properties: { code: { type: 'integer', ...code }, message: { type: 'string' }, data, ...more },
  additionalProperties: false,
})
const details = (properties: Record<string, JsonSchema>) => ({ ...whole(properties), additionalProperties: false })
const noData = { type: 'null' }

/** The data of refusals, by its name in the document. */
const refusalData = {
  InvalidFields: details({
    field: { type: 'string', description: 'The first of them, such as `usernames.0`.' },
    errors: {
      type: 'array',
      description: 'All fields that are not as the document says.',
      items: details({
        pointer: { type: 'string', description: 'Where it is in the body: a JSON pointer such as `/usernames/0`.' },
        reason: { type: 'string', description: 'What is wrong with it, in English.' },
      }),
    },
  }),
  TakenName: details({ username: { type: 'string', description: 'The name that is taken.' } }),
  CreditInUse: details({
    balance: { type: 'string', description: 'The balance: the limit has to be at least so far below zero.' },
  }),
  Most: details({ most: { type: 'integer', description: 'The most there may be.' } }),
  InFlight: details({
    envelopes: { type: 'integer', description: 'Red envelopes that wait for a member.' },
    requests: { type: 'integer', description: 'Open requests for points.' },
    approvals: { type: 'integer', description: 'Transfers that wait for approval.' },
  }),
  OwnedByColleague: details({ name: { type: 'string', description: 'The colleague who has the conversation.' } }),
}

/** A refusal with any of these names; each code is listed once. */
const refusal = (names: readonly ErrorName[], data: unknown) =>
  answer({ enum: [...new Set(names.map((name) => errors[name]))] }, data, {
    refusal: { enum: [...new Set(names)] },
  })
const describeRefusals = (names: readonly ErrorName[]) =>
  names.map((name) => `${errors[name]} ${name}: ${apiWords('en', name)}`).join('\n')

export const retryAfter = (description: string) => ({
  headers: { 'Retry-After': { description, schema: { type: 'integer' } } },
})
/** The parts of failures beside their names, by HTTP status. */
const moreOf: Record<number, { data?: object; answer?: object }> = {
  403: {
    data: {
      anyOf: [
        details({ right: { enum: [...apiRights], description: 'The right that the key lacks.' } }),
        details({ address: { type: 'string', description: 'The address that the call came from.' } }),
      ],
    },
  },
  429: {
    data: {
      ...whole({ seconds: { type: 'integer' }, per_second: { type: 'integer', description: 'Of a key with a rate.' } }),
      required: ['seconds'],
      additionalProperties: false,
    },
    answer: retryAfter('The same seconds.'),
  },
  500: { data: details({ id: { type: 'string' } }) },
  503: { answer: retryAfter('After so many seconds.') },
}
const failureResponses = Object.fromEntries(
  Object.entries(failures).map(([status, names]) => [
    `Status${status}`,
    {
      description: describeRefusals(names),
      content: json(refusal(names, moreOf[Number(status)]?.data ?? noData)),
      ...moreOf[Number(status)]?.answer,
    },
  ]),
)
const failureRefs = Object.fromEntries(
  Object.keys(failures).map((status) => [status, { $ref: `#/components/responses/Status${status}` }]),
)

const listed = { bet_id: 'round-5512-ann', code: OK, message: wordsFor('en', 'success'), refusal: null }
/** Values of examples that differ from those of other calls. */
const valuesOf: Partial<Record<ApiName, Record<string, unknown>>> = {
  'agent/add': { approval: 1 },
  'bet/reportMany': listed,
  'win/reportMany': listed,
  'cash/withdraw': { state: 'withdrawn' },
  'cash/list': { transaction_id: null },
  'cash/view': { state: 'taken', transaction_id: null },
  'cash/take': { state: 'taken' },
  'cash/renew': { state: 'taken' },
  'cash/pay': { state: 'paid' },
  'cash/refuse': { state: 'refused' },
  'statement/view': { at: '2026-11-22 14:03:21' },
  'statement/lines': { at: '2026-11-22 14:03:21' },
  'settlement/list': { state: 'settled' },
}

/** `cash/giveBack` as `CashGiveBack`, `request.paid` as `RequestPaid`. */
export const nameIn = (text: string) =>
  text.replaceAll(/(?:^|[^a-z])([a-z])/gi, (_, letter: string) => letter.toUpperCase())
const idOf = (text: string) => nameIn(text).replace(/^./, (letter) => letter.toLowerCase())

const makeDocument = () => {
  const schemas: Record<string, unknown> = { ...refusalData, ...eventData }
  /** Puts the schema of a type into the components, with those that it names, and returns it without references. */
  const add = (name: string, type: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const made = JSON.stringify(z.toJSONSchema(type, { io, unrepresentable: 'any' }))
    const {
      $schema: _,
      $defs,
      ...schema
    } = JSON.parse(made.replaceAll('"#/$defs/', '"#/components/schemas/')) as Record<string, object>
    Object.assign(schemas, $defs, { [name]: schema })
    return resolveRefs({ components: { schemas }, schema }).schema as JsonSchema
  }

  const callOf = (name: ApiName) => {
    const { part, right, summary, description, request, response, refuses }: MemberApi[ApiName] = memberApi[name]
    const own = nameIn(name)
    const asked = add(`${own}Request`, request, 'input')
    const answered = add(`${own}Answer`, response, 'output')
    const names = refusalsWith200(name)
    const more = new Set(names.flatMap((refused) => dataOf[refused] ?? []))
    const data = { anyOf: [noData, ref('InvalidFields'), ...[...more].map(ref)] }
    schemas[`${own}Refusal`] = refusal(names, data)
    const example = {
      code: OK,
      message: wordsFor('en', 'success'),
      data: answerSample(answered, valuesOf[name]),
    }
    return {
      operationId: idOf(name),
      tags: [part],
      summary,
      description: `${description} The key needs the right \`${right}\`.`,
      'x-right': right,
      requestBody: { required: true, content: json(ref(`${own}Request`), requestSample(asked, name)) },
      responses: {
        200: {
          description: `Success (code ${OK}), or a refusal:\n${describeRefusals(names)}`,
          content: json({ oneOf: [answer({ const: OK }, ref(`${own}Answer`)), ref(`${own}Refusal`)] }, example),
        },
        ...failureRefs,
      },
      'x-refusals': refusalRows(refuses),
      'x-codeSamples': samplesOf(name, asked, answered),
    }
  }

  const eventOf = (name: string, [summary, data, values]: (typeof events)[keyof typeof events]) => {
    const body = whole({
      id: { type: 'string', format: 'uuid', description: 'The same for each attempt.' },
      event: { const: name, description: 'What happened.' },
      at: { type: 'string', format: 'date-time', description: 'When it happened, in UTC.' },
      data: { ...ref(data), description: 'The facts of the event.' },
      seq: { type: 'integer', description: eventFields.seq },
      member_seq: { type: ['integer', 'null'], description: eventFields.member_seq },
    })
    schemas[`${nameIn(name)}Event`] = body
    const sample = answerSample(resolveRefs({ components: { schemas }, body }).body, values)
    return {
      operationId: idOf(name),
      summary,
      description: `${summary} The guide “Receiving webhooks” says how it is signed, and when it comes again. An endpoint with a secret of its own gets the same fields as \`type\`, \`timestamp\`, \`data\`, \`id\`, \`seq\` and \`member_seq\`.`,
      tags: ['Webhooks'],
      security: allOf(ofWebhook),
      requestBody: { content: json(ref(`${nameIn(name)}Event`), sample) },
      responses: { '2XX': { description: 'Received.' } },
    }
  }

  const paths = Object.fromEntries(
    (Object.keys(memberApi) as ApiName[]).map((name) => [`/${name}`, { post: callOf(name) }]),
  )
  const webhooks = Object.fromEntries(
    Object.entries(events).map(([name, event]) => [name, { post: eventOf(name, event) }]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tallyroom member API',
      version: '1',
      summary: 'Accounts, points, bets and requests for points, for the servers of a platform.',
      description: guideText,
      contact: { name: 'The operator of this installation' },
      license: { name: 'For platforms of this installation', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: PREFIX }],
    security: allOf(ofCall),
    tags: [
      ...Object.entries(apiParts).map(([name, description]) => ({ name, description })),
      { name: 'Webhooks', description: 'What we tell your server.' },
    ],
    // The page /file/api reads this: the guides apart, and the refusals of every call.
    'x-guides': guides,
    'x-refusals': commonRefusals,
    paths,
    webhooks,
    components: { securitySchemes, schemas, responses: failureResponses },
  }
}

let made: object | undefined
/** The OpenAPI document, made from the schemas that validate the calls. */
export const openApi = (): object => (made ??= makeDocument())
