import type { Answer, CallName, CommonRefusal, ErrorName, Input, Refusal } from '@tallyroom/contract'
import { language, t } from '../i18n/i18n.ts'
import { noteServerTime, serverNow } from '../lib/clock.ts'
import { configured } from '../lib/config.ts'
import { currentFace, getStored } from '../lib/storage.ts'
import { errors, OK } from '@tallyroom/contract/errors'
import { seal } from '@tallyroom/contract/wire'

/**
 * A refusal by the server; the message is in the user's language. Code 0 (`NO_ANSWER`): no answer came, so the outcome
 * is unknown. `refusal` is undefined when a proxy or an older server sent only the code.
 */
export class CallError extends Error {
  readonly code: number
  readonly data: Record<string, unknown>
  readonly refusal: ErrorName | undefined
  constructor(code: number, message: string, data: Record<string, unknown> = {}, refusal?: ErrorName) {
    super(message)
    this.code = code
    this.data = data
    this.refusal = refusal
  }
}
export const NO_ANSWER = 0

/** Compares the refusal's name; without one its code, as clients of the source's API do. */
const isNamed = (error: unknown, name: ErrorName): error is CallError =>
  error instanceof CallError && (error.refusal ? error.refusal === name : error.code === errors[name])

/**
 * Whether a call was refused for this reason. The call's name limits the reasons to those that its contract declares.
 */
export const refusedBy = <N extends CallName>(_name: N, error: unknown, refusal: Refusal<N>): error is CallError =>
  isNamed(error, refusal as ErrorName)

/** Like `refusedBy`, for a reason that any call may have. */
export const isRefusal = (error: unknown, refusal: CommonRefusal): error is CallError => isNamed(error, refusal)

/** Encrypts once before the first call: the first time is slow, and the page is waiting for other things anyway. */
export const prepare = () =>
  configured().then(
    ({ secret }) => void seal('prepare', {}, secret),
    // The first call loads the configuration again and reports the error.
    () => undefined,
  )

let onSessionEnd: (reason: string) => void = () => {}
/** Registers what to do when the server ends the session (code 9998). */
export const setSessionEndHandler = (handler: (reason: string) => void) => {
  onSessionEnd = handler
}
/** Called by the socket, which often learns of the end before the next call does. */
export const sessionEnded = (reason: string) => onSessionEnd(reason)

let onNeedsSetUp: () => void = () => {}
/** Registers what to do when the role needs a second factor that is not set up: nothing else opens (PASS-03). */
export const setSetUpHandler = (handler: () => void) => {
  onNeedsSetUp = handler
}

/** A UUID of version 7: it begins with the time, so the server refuses one that is older than the outcomes it keeps. */
export const newRequestId = (): string => {
  // Plain http on a LAN has no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80
  const random = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  // A device that is a week behind could write nothing by its own clock.
  const hex = Math.floor(serverNow()).toString(16).padStart(12, '0') + random
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const headers = (): Record<string, string> => {
  const token = getStored('user_token')
  return {
    'Accept-Language': language(),
    // Asks for a session that is valid only together with the cookie set beside it.
    'X-Bound-Session': currentFace(),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  }
}

/** Time until the answer's headers; sending the body gets extra time. */
const TIMEOUT_MS = 8000
const MAX_TIMEOUT_MS = 32_000
const SLOWEST_BYTES_PER_MS = 8
/** Doubles with each call that timed out: the connection may only be slow. */
let timeoutMs = TIMEOUT_MS

/** Aborts a request that gets no answer: a dead connection brings neither an answer nor an error. */
const withTimeout = async (
  bytes: number,
  signal: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> => {
  const late = new AbortController()
  const limit = timeoutMs
  const timer = setTimeout(
    () => {
      // Calls that time out together count as one failure.
      timeoutMs = Math.min(MAX_TIMEOUT_MS, Math.max(timeoutMs, limit * 2))
      late.abort()
    },
    limit + bytes / SLOWEST_BYTES_PER_MS,
  )
  const stop = () => late.abort()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    const answer = await ask(late.signal)
    timeoutMs = TIMEOUT_MS
    return answer
  } finally {
    clearTimeout(timer)
  }
}

type Reply = { code: number; message: string; data: unknown; refusal?: ErrorName }
type Body = { body: string | ArrayBuffer; bytes: number; type: string }

/** Reads the body of an answer. */
export type Reader = (answer: Response) => Promise<unknown>
const readJson: Reader = (answer) => answer.json()

type Options = { signal?: AbortSignal | undefined; read?: Reader | undefined }

type Exchange = { status: number; reply: Reply }

/** Posts to the server. Throws when no answer comes. */
const exchange = async (
  path: string,
  bodyOf: () => Promise<Body>,
  { signal, read = readJson }: Options = {},
): Promise<Exchange> => {
  const { api } = await configured()
  const { body, bytes, type } = await bodyOf()
  const sentAt = performance.now()
  const answer = await withTimeout(bytes, signal, (limited) =>
    fetch(`${api}${path}`, {
      method: 'POST',
      credentials: 'include',
      headers: { ...headers(), 'Content-Type': type },
      body,
      signal: limited,
    }),
  )
  noteServerTime(answer.headers.get('date'), sentAt)
  return { status: answer.status, reply: (await read(answer)) as Reply }
}

/** Returns the answer's data. Throws as `call` does. */
const dataOf = async (exchanged: Promise<Exchange>, signal?: AbortSignal): Promise<unknown> => {
  const { status, reply } = await exchanged.catch((error: unknown): never => {
    if (signal?.aborted) throw error
    throw new CallError(NO_ANSWER, t('network.failed'))
  })
  if (reply.code === OK) return reply.data
  const data = (reply.data ?? {}) as Record<string, unknown>
  const error = new CallError(reply.code, reply.message, data, reply.refusal)
  if (isRefusal(error, 'session.dead')) onSessionEnd(typeof data.reason === 'string' ? data.reason : 'ended')
  if (isRefusal(error, 'session.needs_set_up')) onNeedsSetUp()
  // A failing proxy answered instead of the server: the outcome is unknown.
  if (status >= 502 && status <= 504) throw new CallError(NO_ANSWER, reply.message, data)
  throw error
}

/**
 * The only way to call the server. Throws a CallError for every answer but 1000, and with code 0 when none came: then
 * the same call with the same `request_id` may be repeated and has its effect once. Throws the abort error if `signal`
 * is aborted.
 */
export const call = async <N extends CallName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
  read?: Reader,
): Promise<Answer<N>> => {
  const exchanged = takeEarly(name, input) ?? exchangeSealed(name, input, { signal, read })
  return (await dataOf(exchanged, signal)) as Answer<N>
}

/** The type of `call`, for stores that are given it. */
export type Call = typeof call

const exchangeSealed = (name: CallName, input: object, options?: Options) =>
  exchange(
    `/api/${name}`,
    async () => {
      const { secret } = await configured()
      const body = JSON.stringify(seal(name, input, secret))
      return { body, bytes: body.length, type: 'application/json' }
    },
    options,
  )

/** How old an early answer may be: as old as an answer that is shown without asking again (office.tsx). */
const EARLY_MS = 10_000
const early = new Map<string, { exchanged: Promise<Exchange>; at: number }>()

/** Sends a read for code that is still loading: the first `call` of it with the same input gets this answer. */
export const sendEarly = (name: CallName, input: object): void => {
  const exchanged = exchangeSealed(name, input)
  // The call that takes it reports the error.
  exchanged.catch(() => undefined)
  early.set(JSON.stringify([name, input]), { exchanged, at: performance.now() })
}

const takeEarly = (name: CallName, input: object) => {
  // Writing a picture's input as text only to look for it would be a waste.
  if (early.size === 0) return undefined
  const key = JSON.stringify([name, input])
  const sent = early.get(key)
  early.delete(key)
  return sent && performance.now() - sent.at < EARLY_MS ? sent.exchanged : undefined
}

/** Sends a part of an upload. Returns how many bytes the server has. */
export const sendBytes = async (path: string, body: ArrayBuffer, signal?: AbortSignal): Promise<number> => {
  const part = { body, bytes: body.byteLength, type: 'application/octet-stream' }
  return (
    (await dataOf(
      exchange(path, () => Promise.resolve(part), { signal }),
      signal,
    )) as { received: number }
  ).received
}
