import { type ErrorName, errors, OK } from '@tallyroom/contract'
import { type ApiName, type MemberApi, memberApi } from '@tallyroom/contract/member-api'
import { z } from 'zod'
import { wordsFor } from '../lib/words.ts'

const signing = `Every call is a POST with a JSON body and four headers:

- X-Tallyroom-Key: the name of your key.
- X-Tallyroom-Timestamp: seconds since 1970. It may be 300 seconds off.
- X-Tallyroom-Nonce: 16 to 64 letters, digits, - or _, never the same twice.
- X-Tallyroom-Signature: HMAC-SHA256 in hex, with your secret, over: the method, the path, the timestamp and the nonce, each followed by a line feed, then the body exactly as it is sent.

The answer is {code, message, data}; 1000 is success. A refusal has another code, its name in refusal (several names share a code) and data null, or details, such as {field} for an invalid field. Most refusals come with HTTP status 200: go by the code and the name. Others have a status of their own: 401 (the signature is wrong, too old, or was used before), 413 (the body is too large), 429 (too many calls: wait data.seconds), 500 (an error on our side, data.id identifies it), 504 (it is unknown whether the call was done: send it again). An unknown call is answered with 404. A call that writes needs a request_id (UUID): if no answer arrives, or 504, send the same call again with the same request_id, a new nonce and a new timestamp; it takes effect once. Bets and wins are repeatable by their bet_id.

Webhooks are POSTs to your API URL with the same headers (the nonce is the event's id). Verify X-Tallyroom-Webhook-Signature: HMAC-SHA256 in hex, with your secret, over the word webhook and a line feed, then the same text as for a call. X-Tallyroom-Signature, without that word, is still sent for existing receivers; do not use it for new ones. Answer with any 2xx within 10 seconds; other answers are retried for details a day. An event may arrive more than once with the same id.`

const headersOf = (signature: [name: string, description: string]) =>
  [
    ['X-Tallyroom-Key', 'The name of your key.'],
    ['X-Tallyroom-Timestamp', 'Seconds since 1970.'],
    ['X-Tallyroom-Nonce', '16 to 64 letters, digits, - or _.'],
    signature,
  ].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))
const headers = headersOf(['X-Tallyroom-Signature', 'HMAC-SHA256 in hex.'])
const webhookHeaders = headersOf([
  'X-Tallyroom-Webhook-Signature',
  'HMAC-SHA256 in hex, over the text that begins with `webhook`.',
])

const schemaOf = (type: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema
}
const json = (schema: unknown) => ({ 'application/json': { schema } })

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

const signatureRefusals = ['api.not_signed', 'api.too_old', 'api.replayed'] as const
/** The HTTP statuses that `setStatus` and the route set; all other refusals have status 200. */
const statuses = {
  401: refusalResponse(signatureRefusals),
  413: refusalResponse(['request.too_large']),
  429: {
    ...refusalResponse(['request.too_often'], details('seconds', 'integer')),
    headers: { 'Retry-After': { description: 'The same seconds.', schema: { type: 'integer' } } },
  },
  500: refusalResponse(['server.failed'], details('id', 'string')),
  504: refusalResponse(['server.unsure']),
}

/** The refusals of a call that have HTTP status 200. */
const refusalsWith200 = ({ effect, request, refuses }: MemberApi[ApiName]): readonly ErrorName[] => [
  'request.bad_envelope',
  'request.invalid',
  ...('request_id' in request.shape ? (['request.id_reused'] as const) : []),
  ...(effect === 'write' ? (['server.full'] as const) : []),
  ...refuses,
]
/** All refusals that the document lists for a call. */
export const documentedRefusals = (name: ApiName): readonly ErrorName[] => [
  ...refusalsWith200(memberApi[name]),
  ...signatureRefusals,
  'request.too_large',
  'request.too_often',
  'server.failed',
  'server.unsure',
]

const responsesOf = (call: MemberApi[ApiName]) => {
  const { response } = call
  const names = refusalsWith200(call)
  const data = { anyOf: [noData, details('field', 'string'), details('username', 'string')] }
  const schema = { oneOf: [answer({ const: OK }, schemaOf(response, 'output')), refusal(names, data)] }
  return {
    200: { description: `Success (code ${OK}), or a refusal:\n${describeRefusals(names)}`, content: json(schema) },
    ...statuses,
  }
}

const moved = {
  type: 'object',
  properties: Object.fromEntries(
    ['transaction_id', 'type', 'wallet', 'amount', 'username', 'operator', 'remark', 'status'].map((name) => [
      name,
      { type: ['type', 'wallet', 'status'].includes(name) ? 'integer' : 'string' },
    ]),
  ),
}
const member = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    username: { type: 'string' },
    nickname: { type: 'string' },
    parent: { type: ['string', 'null'] },
  },
}
const request = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    username: { type: 'string' },
    direction: { enum: ['in', 'out'] },
    amount: { type: 'string' },
    state: { type: 'string' },
    reason: { type: 'string' },
    operator: { type: ['string', 'null'] },
    transaction_id: { type: ['string', 'null'] },
  },
}
const events: Record<string, [summary: string, data: object]> = {
  'transfer.settled': ['Points have moved.', moved],
  'envelope.settled': [
    'An envelope was accepted (status 1) or rejected (2), has expired (3) or failed because the points were not there (0).',
    moved,
  ],
  'request.asked': ['A member asks for points.', request],
  'request.paid': ['The request was paid by `operator`; `transaction_id` is its transfer.', request],
  'request.refused': ['The request was refused by `operator`, with `reason`.', request],
  'request.withdrawn': ['The member took the request back.', request],
  'request.expired': ['Nobody answered the request in time.', request],
  'member.added': ['A member was added.', member],
}

let made: object | undefined
/** The OpenAPI document, made from the schemas that validate the calls. */
export const openApi = (): object => {
  made ??= {
    openapi: '3.1.0',
    info: { title: 'Tallyroom member API', version: '1', description: signing },
    servers: [{ url: '/member-api/v1' }],
    paths: Object.fromEntries(
      (Object.keys(memberApi) as ApiName[]).map((name) => {
        const { summary, request } = memberApi[name]
        return [
          `/${name}`,
          {
            post: {
              operationId: name,
              summary,
              parameters: headers,
              requestBody: { required: true, content: json(schemaOf(request, 'input')) },
              responses: responsesOf(memberApi[name]),
            },
          },
        ]
      }),
    ),
    webhooks: Object.fromEntries(
      Object.entries(events).map(([name, [summary, data]]) => [
        name,
        {
          post: {
            summary,
            parameters: webhookHeaders,
            requestBody: {
              content: json({
                type: 'object',
                properties: {
                  id: { type: 'string', format: 'uuid' },
                  event: { const: name },
                  at: { type: 'string', format: 'date-time' },
                  data,
                },
              }),
            },
            responses: { 200: { description: 'Received.' } },
          },
        },
      ]),
    ),
  }
  return made
}
