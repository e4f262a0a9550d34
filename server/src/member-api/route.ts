import { gzipSync } from 'node:zlib'
import { type ErrorName, errors, OK } from '@tallyroom/contract'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../data/sql.ts'
import { answerFor, callRecorder, inSpan, takeFromLimit } from '../http/dispatch.ts'
import { checkFields } from '../http/field-faults.ts'
import { isTimedOut } from '../data/faults.ts'
import { setStatus } from '../http/status.ts'
import type { Caller } from '../identity/caller.ts'
import { duplicateKeys } from '../lib/duplicate-keys.ts'
import { Refused } from '../lib/refusal.ts'
import type { Services } from '../services.ts'
import { once, type IdempotencyKeyReader, idempotencyKeyReader } from '../data/idempotency.ts'
import { wordsFor } from '../lib/words.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import { apiHandlers } from './handlers.ts'
import { type FindMember, memberFinder } from './named-account.ts'
import { actorOfKey } from '../accounts/api-keys.ts'
import { type ApiKey, apiKeyFinder, lockRight, nonceTaker } from '../identity/api-keys.ts'
import { makeKeyRates } from '../identity/limits.ts'
import { isWithin } from '../lib/address.ts'
import { invalidFields } from './invalid-fields.ts'
import { keyUsage } from './key-usage.ts'
import { openApi } from './openapi.ts'
import { documentedRefusals, statusOf } from './refusals.ts'
import { isListCall, runRows } from './rows.ts'
import { PREFIX } from './samples.ts'
import { serveSealedMedia } from './sealed-media.ts'
import { isSignature, isWebhook } from './signing.ts'
import { apiWords } from './words.ts'

/** The most seconds that the clocks may differ, and the life of a signature. */
const MAX_CLOCK_DIFFERENCE = 300
const NONCE = /^[\w-]{16,64}$/
/** Used when the key does not exist, so that the check takes as long as for a wrong signature. */
const NO_SECRET = 'x'.repeat(43)
const DOCUMENT = 'openapi.json'

let body: { plain: string; gzipped: Buffer } | undefined
/** Made once: anybody may ask for it, and writing and packing it each time takes 10 ms. */
const openApiBody = () => {
  if (body) return body
  const plain = JSON.stringify(openApi())
  return (body = { plain, gzipped: gzipSync(plain) })
}

/** Serves the member API: signed JSON, without browser sessions. */
export const serveMemberApi = async (
  app: FastifyInstance,
  services: Services,
  callerOf: (of: FastifyRequest) => Caller,
) => {
  const read = idempotencyKeyReader(services.key, services.settings.retention.requestDays)
  const record = callRecorder(services)
  const keyOf = keyReader(services)
  const mayCall = keyGuard(services)
  const usage = keyUsage(services.db)
  app.addHook('onClose', () => usage.flush().catch(() => {}))
  const findMember = memberFinder(services.db)
  await app.register(
    async (api) => {
      // The signature covers the raw bytes of the body.
      api.removeAllContentTypeParsers()
      api.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
      const refuseWith = (reply: FastifyReply, request: FastifyRequest, name: ErrorName) =>
        reply
          .code(statusOf[name] ?? 200)
          .send({ code: errors[name], message: apiWords(callerOf(request).language, name), data: null, refusal: name })
      api.setNotFoundHandler((request, reply) => {
        const name = request.url.split('?')[0]?.slice(PREFIX.length + 1) ?? ''
        if (Object.hasOwn(memberApi, name))
          return refuseWith(reply.header('allow', 'POST'), request, 'api.wrong_method')
        if (name === DOCUMENT) return refuseWith(reply.header('allow', 'GET, HEAD'), request, 'api.wrong_method')
        return refuseWith(reply, request, 'request.unknown_call')
      })
      api.setErrorHandler((error: FastifyError, request, reply) => {
        const status = error.statusCode ?? 500
        if (status >= 500 || status === 413) throw error
        return refuseWith(reply, request, status === 415 ? 'api.not_json' : 'request.bad_envelope')
      })
      api.get(`/${DOCUMENT}`, { compress: false }, (request, reply) => {
        reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').type('application/json')
        const { plain, gzipped } = openApiBody()
        if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
        return reply.header('content-encoding', 'gzip').send(gzipped)
      })
      serveSealedMedia(api, services, (reply) => reply.callNotFound())
      for (const name of Object.keys(memberApi) as ApiName[]) {
        const answer = async (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
          const call = { name: `member-api/${name}`, caller, began: performance.now() }
          let key: ApiKey | undefined
          try {
            key = await keyOf(request, caller)
            await mayCall(key, name, caller)
            const data = await run(
              { services, caller, key, read, findMember },
              name,
              bodyOf(request.body as Buffer | undefined),
            )
            record({ ...call, refusal: undefined })
            usage.add(key.id, false)
            return { code: OK, message: wordsFor(caller.language, 'success'), data }
          } catch (error) {
            const answered = answerFor(services, error, caller, { name, refuses: documentedRefusals(name) })
            const { refusal, data } = answered
            record({ ...call, refusal })
            if (key) usage.add(key.id, true)
            setStatus(reply, answered)
            const status = refusal && statusOf[refusal]
            if (status) reply.code(status)
            if (!refusal) return answered
            return { ...answered, message: apiWords(caller.language, refusal, (data ?? {}) as Record<string, string>) }
          }
        }
        api.post(`/${name}`, (request, reply) => {
          const caller = callerOf(request)
          return inSpan(services, `member-api/${name}`, caller, () => answer(request, reply, caller))
        })
      }
    },
    { prefix: PREFIX },
  )
}

const header = (request: FastifyRequest, name: string) => {
  const value = request.headers[`x-tallyroom-${name}`]
  return typeof value === 'string' ? value : ''
}

const keyReader = (services: Services) => {
  const findKey = apiKeyFinder(services.db, services.key)
  const takeNonce = nonceTaker(services.db)
  return async (request: FastifyRequest, { network }: Caller): Promise<ApiKey> => {
    await takeFromLimit(services, 'address', network)
    const [id, timestamp, nonce] = [header(request, 'key'), header(request, 'timestamp'), header(request, 'nonce')]
    const signed = { method: request.method, path: request.url, timestamp, nonce, body: (request.body as Buffer) ?? '' }
    const key = await findKey(id)
    const isRight = isSignature(header(request, 'signature'), key?.secret ?? NO_SECRET, signed)
    if (!key || !isRight || !NONCE.test(nonce) || isWebhook(signed)) throw new Refused('api.not_signed')
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - key.now) > MAX_CLOCK_DIFFERENCE)
      throw new Refused('api.too_old')
    if (!(await takeNonce({ keyId: key.id, nonce }))) throw new Refused('api.replayed')
    return key
  }
}

/** Refuses what a key may not do: now, from there, so often, or this call. */
const keyGuard = (services: Services) => {
  const takeOwn = makeKeyRates()
  return async (key: ApiKey, name: ApiName, { address }: Caller): Promise<void> => {
    if (key.isExpired) throw new Refused('api.key_expired')
    if (key.addresses.length > 0 && !isWithin(address, key.addresses))
      throw new Refused('api.wrong_address', { address })
    await takeFromLimit(services, 'key', key.id)
    const seconds = key.perSecond === null ? undefined : takeOwn(key.id, key.perSecond)
    if (seconds !== undefined) throw new Refused('api.over_rate', { seconds, per_second: key.perSecond })
    const { right } = memberApi[name]
    if (!key.rights.includes(right)) throw new Refused('api.not_allowed', { right })
  }
}

const bodyOf = (bytes: Buffer | undefined): Record<string, unknown> => {
  // `toString` would replace invalid UTF-8 by characters that were not signed.
  const text = readable(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)) || '{}'
  const found = readable<unknown>(() => JSON.parse(text))
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new Refused('request.bad_envelope')
  // Which of the two was meant is not said by the signature: readers of JSON differ.
  const [first, ...others] = duplicateKeys(text).map((path) => ({ path, reason: 'This key is there twice' }))
  if (first) throw invalidFields([first, ...others])
  return found as Record<string, unknown>
}
const readable = <T>(read: () => T): T => {
  try {
    return read()
  } catch {
    throw new Refused('request.bad_envelope')
  }
}

const asTooSlow = (error: unknown): never => {
  throw isTimedOut(error) ? new Refused('request.too_slow') : error
}

/** Some platforms send a `request_id` with every call, also with those that have none. */
const withoutRequestId = ({ request_id: _, ...body }: Record<string, unknown>) => body

type ApiCall = {
  services: Services
  caller: Caller
  key: ApiKey
  read: IdempotencyKeyReader
  findMember: FindMember
}

const run = async (
  { services, caller, key, read, findMember }: ApiCall,
  name: ApiName,
  body: Record<string, unknown>,
): Promise<object> => {
  if (isListCall(name))
    return runRows(name, body, (one, row) => run({ services, caller, key, read, findMember }, one, row), caller)
  const { right, effect, request, response } = memberApi[name]
  if (effect === 'write' && services.disk.isFull()) throw new Refused('server.full')
  const found = checkFields<unknown>(request, 'request_id' in request.shape ? body : withoutRequestId(body))
  if ('faults' in found) throw invalidFields(found.faults)
  const input = found.data
  // The table's type has matched handlers and contract; here all calls are treated alike.
  const handler = apiHandlers[name] as
    | ((ctx: ApiCtx, input: unknown) => Promise<unknown>)
    | { batched: (ctx: BatchedApiCtx, input: unknown) => Promise<unknown> }
  const { topId } = key
  const report = platformWriteOf(read, name, topId, body)
  const actorId = key.actorId ?? (await services.db.transact((tx) => actorOfKey(tx, key.id)))
  const own = { services, caller, topId, keyId: key.id, rights: key.rights, actor: { id: actorId, topId } }
  const keepRight = (tx: Tx) => lockRight(tx, key.id, right)
  if (typeof handler !== 'function')
    return response.parse(await handler.batched({ ...own, db: services.db, report, findMember, keepRight }, input))
  const act = (db: Tx) => handler({ ...own, db }, input)
  if (effect === 'read') return response.parse(await services.reads.transact(act).catch(asTooSlow))
  if (!report) throw new Error(`${name} is a write, but its schema does not require a request_id`)
  return once(services.db, report, async (tx) => {
    await keepRight(tx)
    return response.parse(await act(tx))
  })
}

/**
 * The write of a request, if it has a `request_id`. Without one nothing is stored: a default id would be the
 * same for all requests, and the second one would be refused. Bets and wins repeat by their `bet_id`.
 */
const platformWriteOf = (read: IdempotencyKeyReader, name: ApiName, topId: number, body: Record<string, unknown>) => {
  if (body.request_id === undefined) return undefined
  // Stored under the negative id of the top account: no account has it, so a platform cannot collide with a person's
  // ids.
  return { actorId: -topId, call: `api/${name}`, idempotencyKey: read(`api/${name}`, body, '') }
}
