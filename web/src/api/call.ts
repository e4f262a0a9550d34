import type { Answer, CallName, CommonRefusal, ErrorName, Input, Refusal } from '@tallyroom/contract'
import { language, t } from '../i18n/i18n.ts'
import { noteServerTime } from '../lib/clock.ts'
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

export const newRequestId = (): string => {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // Plain http on a LAN has no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
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

/** Posts to the server and returns the answer's data. Throws as `call` does. */
const post = async (path: string, bodyOf: () => Promise<Body>, signal?: AbortSignal): Promise<unknown> => {
  let status = 0
  let reply: Reply
  try {
    const { api } = await configured()
    const { body, bytes, type } = await bodyOf()
    const answer = await withTimeout(bytes, signal, (limited) =>
      fetch(`${api}${path}`, {
        method: 'POST',
        credentials: 'include',
        headers: { ...headers(), 'Content-Type': type },
        body,
        signal: limited,
      }),
    )
    status = answer.status
    noteServerTime(answer.headers.get('date'))
    reply = (await answer.json()) as Reply
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError(NO_ANSWER, t('network.failed'))
  }
  if (reply.code === OK) return reply.data
  const data = (reply.data ?? {}) as Record<string, unknown>
  const error = new CallError(reply.code, reply.message, data, reply.refusal)
  if (isRefusal(error, 'session.dead')) onSessionEnd(typeof data.reason === 'string' ? data.reason : 'ended')
  // A failing proxy answered instead of the server: the outcome is unknown.
  if (status >= 502 && status <= 504) throw new CallError(NO_ANSWER, reply.message, data)
  throw error
}

/**
 * The only way to call the server. Throws a CallError for every answer but 1000, and with code 0 when none came: then
 * the same call with the same `request_id` may be repeated and has its effect once. Throws the abort error if `signal`
 * is aborted.
 */
export const call = async <N extends CallName>(name: N, input: Input<N>, signal?: AbortSignal): Promise<Answer<N>> => {
  const sealed = async () => {
    const { secret } = await configured()
    const body = JSON.stringify(seal(name, input, secret))
    return { body, bytes: body.length, type: 'application/json' }
  }
  return (await post(`/api/${name}`, sealed, signal)) as Answer<N>
}

/** Sends a part of an upload. Returns how many bytes the server has. */
export const sendBytes = async (path: string, body: ArrayBuffer, signal?: AbortSignal): Promise<number> => {
  const part = { body, bytes: body.byteLength, type: 'application/octet-stream' }
  return ((await post(path, () => Promise.resolve(part), signal)) as { received: number }).received
}
