import { type ErrorName, errors, OK } from '@tallyroom/contract'
import { type ApiName, type MemberApi, memberApi } from '@tallyroom/contract/member-api'
import { z } from 'zod'
import { wordsFor } from '../lib/words.ts'

const signing = `Every call is a POST with a JSON body and four headers:

- X-Tallyroom-Key: the name of your key.
- X-Tallyroom-Timestamp: seconds since 1970. It may be 300 seconds off.
- X-Tallyroom-Nonce: 16 to 64 letters, digits, - or _, never the same twice.
- X-Tallyroom-Signature: HMAC-SHA256 in hex, with your secret, over: the method, the path, the timestamp and the nonce, each followed by a line feed, then the body exactly as it is sent.

The answer is {code, message, data}; 1000 is success. A refusal has another code, its name in refusal (several names share a code) and data null, or what it is about: {field} of a field that is not right. Most refusals come with HTTP status 200: go by the code and the name. Others have a status of their own: 401 (the signature is not right, too old, or was used before), 413 (the body is too large), 429 (too many calls: wait data.seconds), 500 (an error of ours, data.id names it), 504 (whether it was done is not known: send it again). A call that there is not is answered with 404. A call that writes needs a request_id (UUID): when no answer came, or 504, send the same again with the same request_id, a new nonce and a new timestamp; it has its effect once. Bets and wins are repeatable by their bet_id.

Webhooks are POSTs to your API URL with the same headers (the nonce is the event's id). Verify X-Tallyroom-Webhook-Signature: HMAC-SHA256 in hex, with your secret, over the word webhook and a line feed, then what a call is signed over. X-Tallyroom-Signature, without that word, is sent as well for receivers that verify it already; do not build on it. Answer with any 2xx within 10 seconds; anything else is tried again for about a day. An event may come more than once: its id stays the same.`

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
  'HMAC-SHA256 in hex, over what begins with `webhook`.',
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
const about = (field: string, type: string) => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type } },
  additionalProperties: false,
})
const nothing = { type: 'null' }

/** Any of these refusals, each code once. */
const refusal = (names: readonly ErrorName[], data: unknown) =>
  answer({ enum: [...new Set(names.map((name) => errors[name]))] }, data, { refusal: { enum: [...new Set(names)] } })
const named = (names: readonly ErrorName[]) =>
  names.map((name) => `${errors[name]} ${name}: ${wordsFor('en', name)}`).join('\n')
const refused = (names: readonly ErrorName[], data: unknown = nothing) => ({
  description: named(names),
  content: json(refusal(names, data)),
})

const named401 = ['api.not_signed', 'api.too_old', 'api.replayed'] as const
/** The HTTP statuses that `setStatus` and the route set; every other refusal goes out with 200. */
const statuses = {
  401: refused(named401),
  413: refused(['request.too_large']),
  429: {
    ...refused(['request.too_often'], about('seconds', 'integer')),
    headers: { 'Retry-After': { description: 'The same seconds.', schema: { type: 'integer' } } },
  },
  500: refused(['server.failed'], about('id', 'string')),
  504: refused(['server.unsure']),
}

/** What a call refuses with, with HTTP status 200. */
const refusalsWith200 = ({ effect, request, refuses }: MemberApi[ApiName]): readonly ErrorName[] => [
  'request.bad_envelope',
  'request.invalid',
  ...('request_id' in request.shape ? (['request.id_reused'] as const) : []),
  ...(effect === 'write' ? (['server.full'] as const) : []),
  ...refuses,
]
/** Every name that the document lists for a call. */
export const documentedRefusals = (name: ApiName): readonly ErrorName[] => [
  ...refusalsWith200(memberApi[name]),
  ...named401,
  'request.too_large',
  'request.too_often',
  'server.failed',
  'server.unsure',
]

const responsesOf = (call: MemberApi[ApiName]) => {
  const { response } = call
  const names = refusalsWith200(call)
  const data = { anyOf: [nothing, about('field', 'string'), about('username', 'string')] }
  const schema = { oneOf: [answer({ const: OK }, schemaOf(response, 'output')), refusal(names, data)] }
  return {
    200: { description: `Success (code ${OK}), or a refusal:\n${named(names)}`, content: json(schema) },
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
const events: Record<string, [summary: string, data: object]> = {
  'transfer.settled': ['Points have moved.', moved],
  'envelope.settled': [
    'An envelope was accepted (status 1) or rejected (2), has expired (3) or could not be paid (0).',
    moved,
  ],
  'member.added': ['There is a new member.', member],
}

let made: object | undefined
/** The document of the member API, out of the same schemas by which it judges what it is asked. */
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
            responses: { 200: { description: 'Heard.' } },
          },
        },
      ]),
    ),
  }
  return made
}
