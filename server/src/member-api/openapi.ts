import { type ErrorName, errors, OK } from '@tallyroom/contract'
import { apiParts, type ApiName, type MemberApi, memberApi } from '@tallyroom/contract/member-api'
import { z } from 'zod'
import { wordsFor } from '../lib/words.ts'
import { guides, guideText } from './guides.ts'
import { answerSample, type JsonSchema, PREFIX, requestSample, samplesOf } from './samples.ts'

const signing = [
  ['X-Tallyroom-Key', 'The name of your key.'],
  ['X-Tallyroom-Timestamp', 'Seconds since 1970.'],
  ['X-Tallyroom-Nonce', '16 to 64 letters, digits, - or _.'],
] as const
const headersOf = (signature: readonly [name: string, description: string]) =>
  [...signing, signature].map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }))
const ofCall = ['X-Tallyroom-Signature', 'HMAC-SHA256 in hex.'] as const
const headers = headersOf(ofCall)
const webhookHeaders = headersOf([
  'X-Tallyroom-Webhook-Signature',
  'HMAC-SHA256 in hex, over the text that begins with `webhook`.',
])
const securitySchemes = Object.fromEntries(
  [...signing, ofCall].map(([name, description]) => [name, { type: 'apiKey', in: 'header', name, description }]),
)

const schemaOf = (type: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema
}
const json = (schema: unknown, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})

/** An object of which all fields are always there. */
const whole = (properties: Record<string, JsonSchema>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const answer = (code: object, data: unknown, more: Record<string, object> = {}) => ({
  type: 'object',
  required: ['code', 'message', 'data', ...Object.keys(more)],
  properties: { code: { type: 'integer', ...code }, message: { type: 'string' }, data, ...more },
  additionalProperties: false,
})
const details = (field: string, type: string) => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type } },
  additionalProperties: false,
})
const noData = { type: 'null' }

/** A refusal with any of these names; each code is listed once. */
const refusal = (names: readonly ErrorName[], data: unknown) =>
  answer({ enum: [...new Set(names.map((name) => errors[name]))] }, data, { refusal: { enum: [...new Set(names)] } })
const describeRefusals = (names: readonly ErrorName[]) =>
  names.map((name) => `${errors[name]} ${name}: ${wordsFor('en', name)}`).join('\n')
const refusalResponse = (names: readonly ErrorName[], data: unknown = noData) => ({
  description: describeRefusals(names),
  content: json(refusal(names, data)),
})

/** Refusals as a table for the page of the document. */
const refusalRows = (names: readonly ErrorName[], status = 200) =>
  names.map((name) => ({ status, code: errors[name], name, message: wordsFor('en', name) }))

/** The refusals of every call, by the HTTP status that `setStatus` and the route set. */
const failures: Record<number, { names: readonly ErrorName[]; data?: object; retryAfter?: string }> = {
  401: { names: ['api.not_signed', 'api.too_old', 'api.replayed'] },
  413: { names: ['request.too_large'] },
  429: { names: ['request.too_often'], data: details('seconds', 'integer'), retryAfter: 'The same seconds.' },
  500: { names: ['server.failed'], data: details('id', 'string') },
  503: { names: ['server.starting'], retryAfter: 'After so many seconds.' },
  504: { names: ['server.unsure'] },
}
const failureResponses = Object.fromEntries(
  Object.entries(failures).map(([status, { names, data, retryAfter: description }]) => [
    status,
    {
      ...refusalResponse(names, data),
      ...(description && { headers: { 'Retry-After': { description, schema: { type: 'integer' } } } }),
    },
  ]),
)

/** These and a call's own refusals have status 200. */
const refusalsOf = {
  any: ['request.bad_envelope', 'request.invalid'],
  withRequestId: ['request.id_reused', 'request.too_old'],
  write: ['server.full'],
  read: ['request.too_slow'],
} as const
const refusalsWith200 = ({ effect, request, refuses }: MemberApi[ApiName]): readonly ErrorName[] => [
  ...refusalsOf.any,
  ...('request_id' in request.shape ? refusalsOf.withRequestId : []),
  // Bets and wins go to the ledger, and read nothing that grows.
  ...('bet_id' in request.shape ? [] : refusalsOf[effect]),
  ...refuses,
]
/** All refusals that the document lists for a call. */
export const documentedRefusals = (name: ApiName): readonly ErrorName[] => [
  ...refusalsWith200(memberApi[name]),
  ...Object.values(failures).flatMap(({ names }) => names),
]

const commonRefusals = [
  ...refusalRows(Object.values(refusalsOf).flat()),
  ...Object.entries(failures).flatMap(([status, { names }]) => refusalRows(names, Number(status))),
]

/** Values of examples that differ from those of other calls. */
const valuesOf: Partial<Record<ApiName, Record<string, unknown>>> = { 'cash/withdraw': { state: 'withdrawn' } }

const responsesOf = (name: ApiName) => {
  const call: MemberApi[ApiName] = memberApi[name]
  const { response } = call
  const names = refusalsWith200(call)
  const data = { anyOf: [noData, details('field', 'string'), details('username', 'string')] }
  const output = schemaOf(response, 'output')
  const schema = { oneOf: [answer({ const: OK }, output), refusal(names, data)] }
  const example = {
    code: OK,
    message: wordsFor('en', 'success'),
    data: answerSample(output as JsonSchema, valuesOf[name]),
  }
  return {
    200: {
      description: `Success (code ${OK}), or a refusal:\n${describeRefusals(names)}`,
      content: json(schema, example),
    },
    ...failureResponses,
  }
}

const ownId = { type: ['string', 'null'], description: 'Your own id of that account.' }
/** The data of events, which triggers of the database write. */
const moved = whole({
  transaction_id: { type: 'string', description: 'The id of the transfer.' },
  type: { type: 'integer', description: 'Its kind, as in `transfer/list`.' },
  wallet: { type: 'integer', description: "The member's wallet. 1: main. 2: game." },
  amount: { type: 'string', description: 'Points, never below zero: the kind says which way they go.' },
  username: { type: 'string', description: 'Whose points moved.' },
  third_party_id: ownId,
  operator: { type: ['string', 'null'], description: 'The account that moved them.' },
  remark: { type: 'string', description: 'The remark.' },
  status: { type: 'integer', description: 'As in `transfer/list`.' },
})
const member = whole({
  id: { type: 'integer', description: 'Our number of the account.' },
  username: { type: 'string', description: 'Its username.' },
  third_party_id: ownId,
  nickname: { type: 'string', description: 'How others see it.' },
  parent: { type: ['string', 'null'], description: 'The username of the account above it.' },
})
const request = whole({
  id: { type: 'integer', description: 'The number of the request.' },
  username: { type: 'string', description: "The member's username." },
  third_party_id: ownId,
  direction: { enum: ['in', 'out'], description: '`in`: after a payment to you. `out`: for a payout.' },
  amount: { type: 'string', description: 'Points.' },
  state: { type: 'string', description: 'As in `cash/list`.' },
  reason: { type: 'string', description: 'Why it was refused; otherwise empty.' },
  operator: {
    type: ['string', 'null'],
    description: 'Who took, paid, refused or cancelled it; of a release, who had taken it. Null: the server.',
  },
  transaction_id: { type: ['string', 'null'], description: 'The transfer that paid it.' },
})
type Event = [summary: string, data: JsonSchema, values?: Record<string, unknown>]
/** `values`: what the example has. */
const events: Record<string, Event> = {
  'transfer.settled': ['Points have moved.', moved],
  'envelope.settled': [
    'An envelope was accepted (status 1) or rejected (2), has expired (3) or failed because the points were not there (0).',
    moved,
  ],
  'request.asked': [
    'A member asks for points. Only the office pays: this is no order to pay.',
    request,
    { state: 'asked', operator: null, transaction_id: null },
  ],
  'request.taken': [
    'A colleague, `operator`, has taken the request in the office and may be paying it: do not pay it too.',
    request,
    { state: 'taken', transaction_id: null },
  ],
  'request.released': [
    '`operator` gave the request back or has left it: anybody in the office may take it again.',
    request,
    { state: 'asked', transaction_id: null },
  ],
  'request.paid': ['The request was paid by `operator`; `transaction_id` is its transfer.', request, { state: 'paid' }],
  'request.refused': [
    'The request was refused by `operator`, with `reason`.',
    request,
    { state: 'refused', reason: 'No payment has arrived.', transaction_id: null },
  ],
  'request.withdrawn': [
    'The member or your platform cancelled the request.',
    request,
    { state: 'withdrawn', operator: 'ann88', transaction_id: null },
  ],
  'request.expired': [
    'Nobody took the request in time.',
    request,
    { state: 'expired', operator: null, transaction_id: null },
  ],
  'member.added': ['A member was added.', member],
}

let made: object | undefined
/** The OpenAPI document, made from the schemas that validate the calls. */
export const openApi = (): object => {
  made ??= {
    openapi: '3.1.0',
    info: { title: 'Tallyroom member API', version: '1', description: guideText },
    servers: [{ url: PREFIX }],
    security: [Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, []]))],
    components: { securitySchemes },
    tags: Object.entries(apiParts).map(([name, description]) => ({ name, description })),
    // The page /file/api reads this: the guides apart, and the refusals of every call.
    'x-guides': guides,
    'x-refusals': commonRefusals,
    paths: Object.fromEntries(
      (Object.keys(memberApi) as ApiName[]).map((name) => {
        const { part, summary, description, request, response, refuses } = memberApi[name]
        const body = schemaOf(request, 'input')
        const asked = body as JsonSchema
        return [
          `/${name}`,
          {
            post: {
              operationId: name,
              tags: [part],
              summary,
              description,
              parameters: headers,
              requestBody: { required: true, content: json(body, requestSample(asked)) },
              responses: responsesOf(name),
              'x-refusals': refusalRows(refuses),
              'x-codeSamples': samplesOf(name, asked, schemaOf(response, 'output') as JsonSchema),
            },
          },
        ]
      }),
    ),
    webhooks: Object.fromEntries(
      Object.entries(events).map(([name, [summary, data, values]]) => {
        const body = whole({
          id: { type: 'string', format: 'uuid', description: 'The same for each attempt.' },
          event: { const: name, description: 'What happened.' },
          at: { type: 'string', format: 'date-time', description: 'When it happened, in UTC.' },
          data: { ...data, description: 'The facts of the event.' },
        })
        return [
          name,
          {
            post: {
              operationId: name,
              summary,
              security: [],
              parameters: webhookHeaders,
              requestBody: { content: json(body, answerSample(body, values)) },
              responses: { 200: { description: 'Received.' } },
            },
          },
        ]
      }),
    ),
  }
  return made
}
