import { gzipSync } from 'node:zlib'
import { type ErrorName, errors, OK } from '@tallyroom/contract'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Database, many, type Tx } from '../data/sql.ts'
import { answerFor, callRecorder, inSpan, takeFromLimit } from '../http/dispatch.ts'
import { checkFields } from '../http/field-faults.ts'
import { isTimedOut } from '../data/faults.ts'
import { setStatus } from '../http/status.ts'
import { SANDBOX_PER_SECOND } from '../config/call-limits.ts'
import type { Settings } from '../config/settings.ts'
import type { Caller } from '../identity/caller.ts'
import { duplicateKeys } from '../lib/duplicate-keys.ts'
import { Refused } from '../lib/refusal.ts'
import type { Services } from '../services.ts'
import { once, outcomesOf, type IdempotencyKeyReader, idempotencyKeyReader } from '../data/idempotency.ts'
import { wordsFor } from '../lib/words.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import { apiHandlers } from './handlers.ts'
import { type FindMember, memberFinder } from './named-account.ts'
import { actorOfKey } from '../accounts/api-keys.ts'
import { type ApiKey, apiKeyFinder, lockRight, nonceTaker } from '../identity/api-keys.ts'
import { makeKeyRates } from '../identity/limits.ts'
import { isWithin } from '../lib/address.ts'
import {
  DATES,
  type FormDate,
  formOf,
  hasRequestId,
  isUuid,
  noSuchForm,
  readIn,
  renamed,
  writeOut,
} from './dated/form.ts'
import { datedDocument } from './dated/document.ts'
import { PROBLEM_TYPE, problemOf, problemStatus, problemTitle } from './dated/problem.ts'
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

const bodies = new Map<FormDate | undefined, { plain: string; gzipped: Buffer }>()
/** Made once: anybody may ask for it, and writing and packing it each time takes 10 ms. */
const openApiBody = (date: FormDate | undefined) => {
  const plain = () => JSON.stringify(date ? datedDocument(date) : openApi())
  const pack = (text: string) => ({ plain: text, gzipped: gzipSync(text) })
  const found = bodies.get(date) ?? pack(plain())
  bodies.set(date, found)
  return found
}

const VERSION = 'tallyroom-version'
const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
/** An answer in the form of a date that there may not be: it is one of these forms all the same. */
const sendProblem = (
  reply: FastifyReply,
  caller: Caller,
  name: ErrorName,
  data: Record<string, unknown> = {},
): FastifyReply =>
  reply
    .code(problemStatus(name))
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemOf(name, data, caller)))

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
      const refuseWith = (reply: FastifyReply, request: FastifyRequest, name: ErrorName) => {
        if (headerOf(request, VERSION)) return sendProblem(reply, callerOf(request), name)
        return reply
          .code(statusOf[name] ?? 200)
          .send({ code: errors[name], message: apiWords(callerOf(request).language, name), data: null, refusal: name })
      }
      api.setNotFoundHandler((request, reply) => {
        const name = request.url.split('?')[0]?.slice(PREFIX.length + 1) ?? ''
        if (Object.hasOwn(memberApi, name))
          return refuseWith(reply.header('allow', 'POST'), request, 'api.wrong_method')
        if (name === DOCUMENT) return refuseWith(reply.header('allow', 'GET, HEAD'), request, 'api.wrong_method')
        return refuseWith(reply, request, 'request.unknown_call')
      })
      api.setErrorHandler((error: FastifyError, request, reply) => {
        const status = error.statusCode ?? 500
        if (status === 413 && headerOf(request, VERSION)) return refuseWith(reply, request, 'request.too_large')
        if (status >= 500 || status === 413) throw error
        return refuseWith(reply, request, status === 415 ? 'api.not_json' : 'request.bad_envelope')
      })
      api.get(`/${DOCUMENT}`, { compress: false }, (request, reply) => {
        reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').type('application/json')
        const { version } = request.query as { version?: string }
        const date = DATES.find((known) => known === version)
        if (version !== undefined && !date)
          return sendProblem(reply, callerOf(request), 'request.invalid', noSuchForm.data)
        const { plain, gzipped } = openApiBody(date)
        if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
        return reply.header('content-encoding', 'gzip').send(gzipped)
      })
      api.get('/problems/:name', (request, reply) => {
        const { name } = request.params as { name: string }
        if (!Object.hasOwn(errors, name)) return reply.callNotFound()
        const refusal = name as ErrorName
        const facts = { refusal, status: problemStatus(refusal), code: errors[refusal], title: problemTitle(refusal) }
        return reply.send(facts)
      })
      serveSealedMedia(api, services, (reply) => reply.callNotFound())
      for (const name of Object.keys(memberApi) as ApiName[]) {
        const answer = async (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
          const call = { name: `member-api/${name}`, caller, began: performance.now() }
          let asked = headerOf(request, VERSION)
          let key: ApiKey | undefined
          try {
            formOf(asked)
            key = await keyOf(request, caller, asked)
            // Only now: what a stranger is answered says nothing about a key.
            asked ??= key.version ?? undefined
            const date = formOf(asked)
            const idempotencyKey = date && headerOf(request, 'idempotency-key')
            await mayCall(key, name, caller)
            const given = bodyOf(request.body as Buffer | undefined)
            const body = date ? readIn(name, given, idempotencyKey) : given
            const isRepeat = date !== undefined && (await wasAnswered(services.db, key, name, body))
            const timesIn = date ? 'UTC' : services.settings.timeZone
            const data = await run({ services, caller, key, read, findMember, timesIn }, name, body).catch(
              (error: unknown) => {
                throw date ? renamed(name, error) : error
              },
            )
            record({ ...call, refusal: undefined, isUncounted: key.isSandbox })
            usage.add(key.id, false)
            if (!date) return { code: OK, message: wordsFor(caller.language, 'success'), data }
            const written = writeOut(name, data)
            reply.code(written.status).header(VERSION, date)
            if (isRepeat) reply.header('idempotency-replayed', 'true')
            return written.body
          } catch (error) {
            const answered = answerFor(services, error, caller, { name, refuses: documentedRefusals(name) })
            const { refusal, data } = answered
            record({ ...call, refusal, isUncounted: key?.isSandbox === true })
            if (key) usage.add(key.id, true)
            setStatus(reply, answered)
            if (!refusal) return answered
            if (asked) return sendProblem(reply, caller, refusal, (data ?? {}) as Record<string, unknown>)
            const status = statusOf[refusal]
            if (status) reply.code(status)
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

const keyReader = (services: Services) => {
  const findKey = apiKeyFinder(services.db, services.key)
  const takeNonce = nonceTaker(services.db)
  return async (request: FastifyRequest, { network }: Caller, version: string | undefined): Promise<ApiKey> => {
    await takeFromLimit(services, 'address', network)
    const own = (name: string) => headerOf(request, `x-tallyroom-${name}`) ?? ''
    const [id, timestamp, nonce] = [own('key'), own('timestamp'), own('nonce')]
    const sent = (request.body as Buffer | undefined) ?? Buffer.of()
    const key = await findKey(id)
    // It decides whether a call is a repeat, so nobody on the way may change it.
    const idempotencyKey = (version ?? key?.version) ? headerOf(request, 'idempotency-key') : undefined
    const body = idempotencyKey === undefined ? sent : Buffer.concat([Buffer.from(`${idempotencyKey}\n`), sent])
    const signed = { method: request.method, path: request.url, timestamp, nonce, body }
    const isRight = isSignature(own('signature'), key?.secret ?? NO_SECRET, signed)
    if (!key || !isRight || !NONCE.test(nonce) || isWebhook(signed)) throw new Refused('api.not_signed')
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - key.now) > MAX_CLOCK_DIFFERENCE)
      throw new Refused('api.too_old')
    if (!(await takeNonce({ keyId: key.id, nonce }))) throw new Refused('api.replayed')
    return key
  }
}

/** The most calls that a key may make in a second, if it is fewer than the installation allows. */
const rateOf = ({ perSecond, isSandbox }: ApiKey, { limits }: Pick<Settings, 'limits'>): number | undefined =>
  isSandbox && limits ? Math.min(perSecond ?? SANDBOX_PER_SECOND, SANDBOX_PER_SECOND) : (perSecond ?? undefined)

/** Refuses what a key may not do: now, from there, so often, or this call. */
const keyGuard = (services: Services) => {
  const takeOwn = makeKeyRates()
  return async (key: ApiKey, name: ApiName, { address }: Caller): Promise<void> => {
    if (key.isExpired) throw new Refused('api.key_expired')
    if (key.addresses.length > 0 && !isWithin(address, key.addresses))
      throw new Refused('api.wrong_address', { address })
    await takeFromLimit(services, 'key', key.id)
    const perSecond = rateOf(key, services.settings)
    const seconds = perSecond === undefined ? undefined : takeOwn(key.id, perSecond)
    if (seconds !== undefined) throw new Refused('api.over_rate', { seconds, per_second: perSecond })
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
  timesIn: string
}

const run = async (
  { services, caller, key, read, findMember, timesIn }: ApiCall,
  name: ApiName,
  body: Record<string, unknown>,
): Promise<object> => {
  if (isListCall(name))
    return runRows(
      name,
      body,
      (one, row) => run({ services, caller, key, read, findMember, timesIn }, one, row),
      caller,
    )
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
  const own = {
    services,
    caller,
    topId,
    keyId: key.id,
    rights: key.rights,
    actor: { id: actorId, topId },
    timesIn,
    report,
  }
  const keepRight = (tx: Tx) => lockRight(tx, key.id, right)
  if (typeof handler !== 'function')
    return response.parse(await handler.batched({ ...own, db: services.db, findMember, keepRight }, input))
  const act = (db: Tx) => handler({ ...own, db }, input)
  if (effect === 'read') return response.parse(await services.reads.transact(act).catch(asTooSlow))
  if (!report) throw new Error(`${name} is a write, but its schema does not require a request_id`)
  return once(services.db, report, async (tx) => {
    await keepRight(tx)
    return response.parse(await act(tx))
  })
}

/** Whether a request has an outcome already. Of two equal requests at once it is true of neither or of one. */
const wasAnswered = async (
  db: Database,
  { topId, actorId }: ApiKey,
  name: ApiName,
  { request_id }: Record<string, unknown>,
) => {
  if (!hasRequestId(name) || typeof request_id !== 'string' || !isUuid(request_id)) return false
  // A move of points is stored with the account that the key acts as.
  const actors = [platformActor(topId), ...(actorId === null ? [] : [actorId])]
  return (await many(db, outcomesOf(actors.map((id) => ({ actorId: id, requestId: request_id }))))).length > 0
}

/**
 * The write of a request, if it has a `request_id`. Without one nothing is stored: a default id would be the
 * same for all requests, and the second one would be refused. Bets and wins repeat by their `bet_id`.
 */
/** The negative id of the top account: no account has it, so a platform cannot collide with a person's ids. */
const platformActor = (topId: number) => -topId
const platformWriteOf = (read: IdempotencyKeyReader, name: ApiName, topId: number, body: Record<string, unknown>) => {
  if (body.request_id === undefined) return undefined
  return { actorId: platformActor(topId), call: `api/${name}`, idempotencyKey: read(`api/${name}`, body, '') }
}
