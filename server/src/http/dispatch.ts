import {
  type CallName,
  commonRefusals,
  declared,
  type ErrorName,
  errors,
  isCallName,
  OK,
  refusalsOf,
} from '@tallyroom/contract'
import type { Language } from '@tallyroom/locales'
import { z } from 'zod'
import type { Actor } from '../identity/actor.ts'
import { DatabaseAway, UnsureCommit } from '../data/faults.ts'
import { MediaAway } from '../data/media/store.ts'
import type { BatchedCtx, Ctx, OpenCtx, ReadCtx } from '../calls/handler.ts'
import { keyedLimit } from '../lib/concurrency.ts'
import type { IdempotencyKey } from '../lib/idempotency-key.ts'
import type { Caller, Reply } from '../identity/caller.ts'
import { Refused } from '../lib/refusal.ts'
import { handlers } from '../calls/index.ts'
import type { Services } from '../services.ts'
import type { Counted } from '../identity/limits.ts'
import { may, policy } from '../identity/policy.ts'
import { isSetUpCall } from '../identity/set-up-calls.ts'
import { once, type IdempotencyKeyReader, idempotencyKeyReader } from '../data/idempotency.ts'
import type { Sessions } from '../identity/sessions.ts'
import { isLong, LongAnswer } from '../lib/chunked-json.ts'
import { checkFields, pathText } from './field-faults.ts'
import { makeReads, type RunRead } from './reads.ts'
import type { Wire } from './wire.ts'
import { wordsFor } from '../lib/words.ts'

/** `refusal` is the name behind the code; absent on success. */
export type CallAnswer = { code: number; message: string; data: unknown; refusal?: ErrorName }
export type CallRequest = {
  name: string
  body: unknown
  credentials: { token: string | undefined; cookies: string | undefined }
}

/**
 * Runs every call: open the envelope, find the session, check the right, parse, begin, handle, commit, shape the answer.
 * Events wait for the commit. A refused call changes nothing.
 */
export const makeDispatch = (services: Services, wire: Wire, sessions: Sessions) => {
  const read = idempotencyKeyReader(services.key, services.settings.retention.requestDays)
  const ways: Ways = { limitWrites: keyedLimit({ concurrency: TRANSACTIONS_OF_ACCOUNT }), runRead: makeReads(services) }
  const answer = async (call: CallRequest, caller: Caller, reply: Reply, seen: Seen): Promise<CallAnswer> => {
    try {
      const { name } = call
      if (!isCallName(name)) throw new Refused('request.unknown_call')
      const isOpen = policy[name] === 'anyone'
      await takeFromLimit(services, 'address', caller.network)
      if (isOpen) await takeFromLimit(services, 'open', caller.network)
      const opened = wire.open(name, call.body)
      if (!opened) throw new Refused('request.bad_envelope')
      const actor = isOpen ? undefined : await sessions.actorOf(call.credentials, { isSetUp: isSetUpCall(name) })
      seen.account = actor?.id
      if (actor) await takeFromLimit(services, ...limitOf(actor, name, opened.params))
      if (actor && !may(actor, name)) throw new Refused('access.denied')
      // On a full disk logging out still works: it writes little.
      const isWriting = actor && declared(name).effect === 'write' && name !== 'logout'
      if (isWriting && services.disk.isFull()) throw new Refused('server.full')
      const { input, idempotencyKey } = parse(read, name, opened.payload, opened.params)
      const data = await handle(services, { name, input, idempotencyKey, actor, caller, reply }, ways)
      return { code: OK, message: wordsFor(caller.language, 'success'), data: shape(name, data) }
    } catch (error) {
      const { name } = call
      const refuses = isCallName(name) ? refusalsOf(name) : commonRefusals
      return answerFor(services, error, caller, { name, refuses })
    }
  }
  const record = callRecorder(services)
  return async (call: CallRequest, caller: Caller, reply: Reply): Promise<CallAnswer> => {
    const seen: Seen = {}
    const began = performance.now()
    return await inSpan(services, call.name, caller, async () => {
      const answered = await answer(call, caller, reply, seen)
      record({ name: call.name, caller, account: seen.account, refusal: answered.refusal, began })
      return answered
    })
  }
}

/** Records a call as a span, if traces are collected. */
export const inSpan = <T extends { refusal?: string | undefined }>(
  { traces }: Services,
  name: string,
  { callId, traceparent }: Caller,
  work: () => Promise<T>,
): Promise<T> => (traces ? traces.call({ name, callId, traceparent }, work) : work())

/** The sender of a call, as far as it is known by the time of the answer. */
type Seen = { account?: number | undefined }
/** `isUncounted`: of a sandbox, which the metrics leave out. */
type Recorded = Seen & {
  name: string
  caller: Caller
  refusal: ErrorName | undefined
  began: number
  isUncounted?: boolean
}

/** Tells the metrics, and the access log if it is on, how a call ended. Nothing of what was sent is written. */
export const callRecorder = ({ settings, measures, log }: Services) => {
  // It has its own level, so that LOG_LEVEL need not show everything else.
  const access = settings.accessLog ? log.child({}, { level: 'info' }) : undefined
  return ({ name, caller, account, refusal: refused, began, isUncounted }: Recorded) => {
    const outcome = refused ?? 'success'
    const ms = performance.now() - began
    if (!isUncounted) measures.call(name, outcome, ms / 1000)
    access?.info({ call: name, outcome, ms: Math.round(ms), call_id: caller.callId, account, address: caller.address })
  }
}

/** Bodies above this size count as uploads: images. */
const UPLOAD_LENGTH = 256 * 1024
/** Uploads count for the account: it may have many sessions, and a few megabytes keep the process busy. */
const limitOf = (actor: Actor, name: CallName, params: string): Counted =>
  params.length > UPLOAD_LENGTH ? ['upload', `of ${actor.id}`] : [declared(name).effect, String(actor.session.id)]

export const takeFromLimit = async ({ limits }: Services, ...counted: Counted) => {
  const seconds = await limits(...counted)
  if (seconds !== undefined) throw new Refused('request.too_often', { seconds })
}

const RequestId = z.uuid()

const parse = (read: IdempotencyKeyReader, name: CallName, payload: Record<string, unknown>, params: string) => {
  const input = parseFields(declared(name).request, payload)
  if (payload.request_id !== undefined && !RequestId.safeParse(payload.request_id).success) {
    throw new Refused('request.invalid', { field: 'request_id' })
  }
  return { input, idempotencyKey: read(name, payload, params) }
}

/**
 * Parses a body. @throws Refused request.invalid with the path of the field that does not match the schema, or whose text
 * the database cannot store
 */
const parseFields = <T>(schema: z.ZodType<T>, body: Record<string, unknown>): T => {
  const found = checkFields(schema, body)
  if ('faults' in found) throw new Refused('request.invalid', { field: pathText(found.faults[0]) })
  return found.data
}

/** Removes every field that the contract does not name; from the rows of a long list while they are sent. */
const shape = (name: CallName, data: unknown): unknown => {
  const { response } = declared(name)
  const rows = response instanceof z.ZodObject ? response.shape.data : undefined
  if (!isLong(data) || !(rows instanceof z.ZodArray)) return parseAnswer(name, response, data)
  const rest = parseAnswer(name, response, { ...data, data: [] }) as object
  return new LongAnswer(rest, data.data, (row) => parseAnswer(name, rows.element as z.ZodType, row))
}

const parseAnswer = (name: CallName, schema: z.ZodType, data: unknown): unknown => {
  const shaped = schema.safeParse(data)
  if (shaped.success) return shaped.data
  throw new Error(`The answer of ${name} does not match its contract: ${z.prettifyError(shaped.error)}`)
}

type CallWork = {
  name: CallName
  input: unknown
  idempotencyKey: IdempotencyKey
  actor: Actor | undefined
  caller: Caller
  reply: Reply
}

/** Else an account whose writes wait for each other, or for an image, could hold every connection of the database. */
const TRANSACTIONS_OF_ACCOUNT = 3

type Ways = { limitWrites: ReturnType<typeof keyedLimit<number>>; runRead: RunRead }

const handle = async (services: Services, call: CallWork, { limitWrites, runRead }: Ways): Promise<unknown> => {
  const { name, input, idempotencyKey, actor, caller, reply } = call
  const base = { services, caller, reply, idempotencyKey }
  // The table's type has matched handlers and contract; here all calls are treated alike.
  const handler = handlers[name] as
    | ((ctx: Ctx | ReadCtx, input: unknown) => Promise<unknown>)
    | { open: (ctx: OpenCtx, input: unknown) => Promise<unknown> }
    | { batched: (ctx: BatchedCtx, input: unknown) => Promise<unknown> }
  if (typeof handler !== 'function' && 'open' in handler)
    return handler.open({ ...base, actor: undefined, db: services.db }, input)
  if (!actor) throw new Error(`${name} is open to anyone but its handler is not`)
  if (typeof handler !== 'function') return handler.batched({ ...base, actor, db: services.db }, input)
  if (declared(name).effect === 'read') {
    return runRead({ name, actor, caller }, (db) =>
      handler({ ...base, services: { ...services, db }, actor, db }, input),
    )
  }
  const key = { actorId: actor.id, call: name, idempotencyKey }
  return limitWrites(actor.id, () => once(services.db, key, (db) => handler({ ...base, actor, db }, input)))
}

/** A refusal that the call does not declare is a bug, because clients do not expect it. Tests fail, production logs it. */
const checkDeclared = ({ log }: Services, { refusal }: Refused, { name, refuses }: Declared): Error | undefined => {
  if (refuses.includes(refusal)) return undefined
  const fault = new Error(`${name} refused with ${refusal}: add it to the call's \`refuses\` in contract/`)
  if (process.env.NODE_ENV === 'test') return fault
  log.error({ err: fault, call: name }, 'A call refused with a name that it does not declare')
  return undefined
}

type Declared = { name: string; refuses: readonly ErrorName[] }
type Asker = Pick<Caller, 'language' | 'callId'>
/** The answer to a failed call: a refusal's code, name and words; for other errors the id that the log has of the call. */
export const answerFor = (
  services: Services,
  thrown: unknown,
  { language, callId }: Asker,
  call: Declared,
): CallAnswer => {
  const error = thrown instanceof Refused ? (checkDeclared(services, thrown, call) ?? thrown) : thrown
  if (error instanceof Refused) return refusal(error.refusal, language, error.data)
  if (error instanceof DatabaseAway) {
    // The log says it once for all calls (start/outage-log.ts).
    services.log.error({ err: error }, 'The database is away')
    return refusal('server.starting', language)
  }
  if (error instanceof MediaAway) {
    logMediaAway(services, error)
    return refusal('server.media_away', language)
  }
  services.log.error({ err: error, call: call.name, call_id: callId }, 'A call failed')
  if (error instanceof UnsureCommit) return refusal('server.unsure', language)
  return refusal('server.failed', language, { id: callId })
}

const AWAY_LOG_MS = 5000
let lastAwayLog = -Infinity
/** Every call with an image fails meanwhile: a line for each would fill the log. */
const logMediaAway = ({ log }: Services, cause: unknown) => {
  const now = performance.now()
  if (now - lastAwayLog < AWAY_LOG_MS) return
  lastAwayLog = now
  log.error({ err: cause }, 'The S3 server is away: images and files cannot be stored or read. All else goes on')
}

export const refusal = (name: ErrorName, language: Language, data: Record<string, unknown> = {}): CallAnswer => ({
  code: errors[name],
  message: wordsFor(language, name, data as Record<string, string | number>),
  data: Object.keys(data).length ? data : null,
  refusal: name,
})
