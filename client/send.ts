import { VERSION } from './calls.ts'
import { type FailedCall, type ProblemBody, TallyroomProblem, TallyroomUnanswered } from './problem.ts'
import { bytesOf, hmacKey, hmacOf } from './hmac.ts'
import type { WriteOptions } from './options.ts'

const PREFIX = '/member-api/v1'
/** Statuses after which the same call may be sent again. */
const REPEATED = new Set([429, 502, 503, 504])
/** A longer `Retry-After` is left to the caller. */
const MAX_WAIT_SECONDS = 60
/** What the server takes, without spaces at the ends, which headers lose. */
const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,62}[!-~])?$/

export type TallyroomOptions = {
  /** The address of the installation, such as `https://chat.example.com`. */
  url: string
  /** The id of the key, which begins with `tk_`, or with `tks_` in a sandbox. */
  key: string
  /** The secret of the key. It stays on your server. */
  secret: string
  /** The language of messages, such as `th`. Without it, English. */
  language?: string
  /** How often a call is tried when no answer arrives or the server asks to wait. 5 by default. */
  attempts?: number
  /** How long an attempt may take, in milliseconds. 30,000 by default. */
  timeout?: number
  /** The wait before the second attempt, in milliseconds; each later one is twice as long. 500 by default. */
  wait?: number
  /** Sends the requests, in place of the global `fetch`. */
  fetch?: typeof globalThis.fetch
}
export type Send = (call: string, input: object, options: WriteOptions, isWrite: boolean) => Promise<unknown>

/** The failure of an attempt, and the seconds to wait before the next one; undefined: there is no other. */
type Failure = { error: Error; retryAfter: number | undefined; isFinal: boolean }

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

/** Sends signed calls in the dated form, and repeats those that may have been lost. */
export const makeSend = (options: TallyroomOptions): Send => {
  const { url, key, secret, language, attempts = 5, timeout = 30_000, wait = 500 } = options
  const fetch = options.fetch ?? globalThis.fetch
  const { origin } = new URL(url)
  if (key === '' || secret === '') throw new TypeError('createTallyroom needs the id of a key and its secret')
  const signingKey = hmacKey(bytesOf(secret))

  const attempt = async (failed: FailedCall, body: string, signal: AbortSignal | undefined) => {
    const { call, idempotencyKey } = failed
    const path = `${PREFIX}/${call}`
    const timestamp = String(Math.floor(Date.now() / 1000))
    const nonce = crypto.randomUUID()
    const repeatable = idempotencyKey === undefined ? '' : `${idempotencyKey}\n`
    const signature = await hmacOf(await signingKey, `POST\n${path}\n${timestamp}\n${nonce}\n${repeatable}${body}`)
    const limit = AbortSignal.timeout(timeout)
    return fetch(`${origin}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Tallyroom-Version': VERSION,
        'X-Tallyroom-Key': key,
        'X-Tallyroom-Timestamp': timestamp,
        'X-Tallyroom-Nonce': nonce,
        'X-Tallyroom-Signature': signature,
        ...(language === undefined ? {} : { 'Accept-Language': language }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      body,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    }).then(async (response) => ({ response, text: await response.text() }))
  }

  const answerOf = async (
    failed: FailedCall,
    body: string,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: unknown } | Failure> => {
    const outcome = await attempt(failed, body, signal).catch((cause: unknown) => ({ cause }))
    if ('cause' in outcome) {
      signal?.throwIfAborted()
      return { error: new TallyroomUnanswered(failed, outcome), retryAfter: undefined, isFinal: false }
    }
    const { response, text } = outcome
    const { status } = response
    const read = readJson(text)
    if (response.ok && read !== undefined) return { answer: read }
    const seconds = Number(response.headers.get('Retry-After') ?? undefined)
    const retryAfter = Number.isFinite(seconds) ? seconds : undefined
    const error = isProblem(read)
      ? new TallyroomProblem(read, failed, retryAfter)
      : new TallyroomUnanswered(failed, { status })
    const isFinal = !(REPEATED.has(status) || response.ok) || (retryAfter ?? 0) > MAX_WAIT_SECONDS
    return { error, retryAfter, isFinal }
  }

  return async (call, input, { signal, idempotencyKey: given }, isWrite) => {
    if (given !== undefined && !IDEMPOTENCY_KEY.test(given))
      throw new TypeError(`idempotencyKey has 1 to 64 printable ASCII characters, not ${JSON.stringify(given)}`)
    const failed = { call, idempotencyKey: isWrite ? (given ?? crypto.randomUUID()) : undefined }
    const body = JSON.stringify(input)
    for (let tried = 1; ; tried++) {
      const outcome = await answerOf(failed, body, signal)
      if ('answer' in outcome) return outcome.answer
      if (outcome.isFinal || tried >= attempts) throw outcome.error
      // Spread, so that clients that failed together do not come again together.
      const spread = wait * 2 ** (tried - 1) * (0.5 + Math.random() / 2)
      await pause((outcome.retryAfter ?? 0) * 1000 + spread, signal)
    }
  }
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const isProblem = (read: unknown): read is ProblemBody =>
  typeof read === 'object' && read !== null && 'refusal' in read && 'status' in read
