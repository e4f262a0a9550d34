import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { S3Settings } from '../../config/media-settings.ts'
import { semaphore } from '../../lib/concurrency.ts'
import type { Measures, S3Request } from '../../lib/measures.ts'
import { MediaAway } from './store.ts'

type Asked = {
  name: S3Request
  /** The key of an object; undefined when the request is about the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
  /** The caller reads the body of a success. Without it `text` has the whole body. */
  isStreamed?: boolean
}
/** An answer that found something, or that says that nothing is there: 404, or 416 for a range of bytes. */
export type Answer = { status: number; headers: Headers; body: Response['body']; text: string }
type Failure = { words: string; mayPass: boolean }

/**
 * Sends a request up to three times, within S3_SECONDS: every request of ours may be repeated. `stop` ends it, and the
 * body of its answer too.
 * @throws MediaAway
 */
export type AskS3 = (asked: Asked, stop?: AbortSignal) => Promise<Answer>

const methods = { get: 'GET', put: 'PUT', delete: 'DELETE', list: 'GET' } as const
const MAX_TRIES = 3
const FIRST_PAUSE_MS = 100
/** Answers that are waited for at once: when the server hangs, further requests wait here and not in sockets. */
const MAX_AT_ONCE = 64
/** A body may be sent as slowly as this. */
const BYTES_PER_MS = 1000

/** Signs and sends the requests to one bucket. The library that signs is loaded here and only here. */
export const s3Requests = async (settings: S3Settings, measures: Pick<Measures, 's3'>): Promise<AskS3> => {
  const { AwsV4Signer } = await import('aws4fetch')
  const { url, bucket, region, accessKey, secretKey, addressing, prefix, seconds } = settings
  const base = new URL(url)
  if (addressing === 'host') base.hostname = `${bucket}.${base.hostname}`
  else base.pathname = `/${bucket}`
  const root = base.href.replace(/\/$/, '')
  const inFlight = semaphore(MAX_AT_ONCE)
  /** Keeps the signing key, which changes once a day. */
  const cache = new Map<string, ArrayBuffer>()

  const send = async ({ name, key, query = {}, headers = {}, body }: Asked, signal: AbortSignal) => {
    const search = new URLSearchParams(query).toString()
    const signed = await new AwsV4Signer({
      method: methods[name],
      url: `${root}/${key === undefined ? '' : prefix + key}${search && `?${search}`}`,
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
      cache,
    }).sign()
    return fetch(signed.url, {
      method: methods[name],
      headers: signed.headers,
      // Following one would send the request to a server that the operator did not name.
      redirect: 'manual',
      signal,
      // Never memory that threads share, which is all that the type excludes.
      ...(body && { body: body as Buffer<ArrayBuffer> }),
    })
  }

  const attempt = async (asked: Asked, ms: number, stop: AbortSignal | undefined): Promise<Answer | Failure> => {
    const end = new AbortController()
    const late = setTimeout(() => end.abort(new Error(`no answer in ${Math.round(ms)} ms`)), ms)
    const stopped = () => end.abort(stop?.reason)
    stop?.addEventListener('abort', stopped, { once: true })
    if (stop?.aborted) stopped()
    let release: (() => void) | undefined
    try {
      release = await inFlight.acquire(end.signal)
      const response = await send(asked, end.signal)
      const { status, headers, body } = response
      if (response.ok && asked.isStreamed) return { status, headers, body, text: '' }
      const text = await response.text()
      return failureOf(asked.name, status, text) ?? { status, headers, body: null, text }
    } catch (error) {
      return { words: wordsOf(error), mayPass: !stop?.aborted }
    } finally {
      clearTimeout(late)
      release?.()
    }
  }

  const askInTime = async (asked: Asked, stop: AbortSignal | undefined): Promise<Answer | Failure> => {
    const until = performance.now() + seconds * 1000 + (asked.body?.length ?? 0) / BYTES_PER_MS
    for (let tries = 1; ; tries++) {
      const left = until - performance.now()
      // A kept connection may be dead without a word: the first try leaves time for one on a new connection.
      const answer = await attempt(asked, tries === 1 ? left / 2 : left, stop)
      const wait = FIRST_PAUSE_MS * 4 ** (tries - 1) * (0.5 + Math.random())
      const isLast = tries === MAX_TRIES || performance.now() + wait >= until
      if (isLast || !('words' in answer) || !answer.mayPass) return answer
      await pause(wait)
    }
  }

  return async (asked, stop) => {
    const began = performance.now()
    const answer = await askInTime(asked, stop)
    const hasFailed = 'words' in answer
    const outcome = hasFailed ? 'failed' : answer.status === 404 ? 'missing' : 'success'
    // A client that went away is no trouble of the server's.
    if (!hasFailed || !stop?.aborted) measures.s3(asked.name, outcome, (performance.now() - began) / 1000)
    if (hasFailed) throw new MediaAway(`S3 (${asked.name}): ${answer.words}`)
    return answer
  }
}

/** Advice about answers that only the operator can change. */
const advice: Record<string, string> = {
  SignatureDoesNotMatch: 'check S3_SECRET_KEY',
  InvalidAccessKeyId: 'check S3_ACCESS_KEY',
  AccessDenied: 'give the key of S3_ACCESS_KEY the rights to read, write, delete and list in S3_BUCKET',
  NoSuchBucket: 'make the bucket, or check S3_BUCKET, S3_URL and S3_ADDRESSING',
  AuthorizationHeaderMalformed: 'check S3_REGION',
  PermanentRedirect: 'check S3_URL and S3_REGION',
  RequestTimeTooSkewed: 'set the clock of this machine',
  QuotaExceeded: 'the bucket is full',
}

/** Undefined: the answer found something, or says that nothing is there. */
const failureOf = (name: S3Request, status: number, text: string): Failure | undefined => {
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''
  const isMissing = (name === 'get' || name === 'delete') && status === 404 && code !== 'NoSuchBucket'
  if (status < 300 || isMissing || (name === 'get' && status === 416)) return undefined
  const words = `answered ${status}${code && ` ${code}`}${advice[code] ? `: ${advice[code]}` : ''}`
  return { words, mayPass: status === 429 || status >= 500 }
}

/** The cause says what happened; `fetch failed` does not. */
const wordsOf = (error: unknown): string => {
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}
