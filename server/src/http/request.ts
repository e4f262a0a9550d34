import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { languageOf } from '@tallyroom/locales'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../identity/caller.ts'
import { networkOf } from '../lib/address.ts'
import type { Credentials } from '../identity/sessions.ts'

export const isSecure = (request: FastifyRequest) => request.protocol === 'https'

export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  network: networkOf(request.ip),
  userAgent: request.headers['user-agent'] ?? '',
  language: languageOf(request.headers['accept-language']),
  secure: isSecure(request),
  wantsBound: request.headers['x-bound-session'] !== undefined,
  cookies: request.headers.cookie,
  origin: request.headers.origin,
  callId: request.id,
  traceparent: traceparentOf(request),
  hasLeft: () => request.raw.socket.destroyed,
})

const traceparentOf = ({ headers: { traceparent } }: FastifyRequest) =>
  typeof traceparent === 'string' ? traceparent : undefined

/** Another id could make a log unreadable. */
const GIVEN_ID = /^[\w.-]{8,64}$/
const own = randomBytes(6).toString('base64url')
let count = 0

/** The id of a request: a new one, or that of `X-Request-Id` behind a proxy. A stranger could give two calls the same. */
export const requestId = ({ headers }: IncomingMessage, trustedProxies: number): string => {
  const given = trustedProxies > 0 ? headers['x-request-id'] : undefined
  return typeof given === 'string' && GIVEN_ID.test(given) ? given : `${own}-${(count++).toString(36)}`
}

export const credentialsOf = (request: FastifyRequest): Credentials => ({
  token: /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1],
  cookies: request.headers.cookie,
})
