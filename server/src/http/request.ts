import { languageOf } from '@tallyroom/locales'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../identity/caller.ts'
import type { Credentials } from '../identity/sessions.ts'

export const isSecure = (request: FastifyRequest) => request.protocol === 'https'

export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  language: languageOf(request.headers['accept-language']),
  secure: isSecure(request),
  wantsBound: request.headers['x-bound-session'] !== undefined,
  cookies: request.headers.cookie,
})

export const credentialsOf = (request: FastifyRequest): Credentials => ({
  token: /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1],
  cookies: request.headers.cookie,
})
