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
}
/** An answer whose body may still come. `end` gives up on it. */
export type Answer = {
  status: number
  headers: Headers
  body: ReadableStreamDefaultReader<Uint8Array> | undefined
  end: () => void
}

export type S3Requests = {
  /**
   * Asks up to three times, within S3_SECONDS: every request of ours may be repeated. Answers that say that something is
   * not there are answers too. `stop`: ends it. @throws MediaAway
   */
  ask: (asked: Asked, stop?: AbortSignal) => Promise<Answer>
  textOf: (answer: Answer) => Promise<string>
}

const methods = { get: 'GET', put: 'PUT', delete: 'DELETE', list: 'GET' } as const
const MAX_TRIES = 3
const FIRST_PAUSE_MS = 100
/** Answers that are waited for at once: when the server hangs, further requests wait here and not in sockets. */
const MAX_AT_ONCE = 64
/** A body may be sent as slowly as this. */
const BYTES_PER_MS = 1000
/** Whether the server may be able to do it in a moment. */
const isPassing = (status: number) => status === 429 || status >= 500
const isAnswer = (status: number) => status < 300 || status === 404 || status === 416

/** The requests of one S3 server, signed. The library that signs is loaded here and only here. */
export const s3Requests = async (settings: S3Settings, measures: Pick<Measures, 's3'>): Promise<S3Requests> => {
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

  /** One try. A refusal is returned as an error, with whether trying again may help. */
  const attempt = async (asked: Asked, ms: number, stop: AbortSignal | undefined): Promise<Answer | Failed> => {
    const end = new AbortController()
    const late = setTimeout(() => end.abort(new Error(`no answer in ${Math.round(ms)} ms`)), ms)
    const stopped = () => end.abort(stop?.reason)
    stop?.addEventListener('abort', stopped, { once: true })
    if (stop?.aborted) stopped()
    let release: (() => void) | undefined
    try {
      release = await inFlight.acquire(end.signal)
      const { status, headers, body } = await send(asked, end.signal)
      if (isAnswer(status)) return { status, headers, body: body?.getReader(), end: () => end.abort() }
      const text = (await body?.getReader().read())?.value
      end.abort()
      return new Failed(refusalWords(status, text), isPassing(status))
    } catch (error) {
      return new Failed(wordsOf(error), !stop?.aborted)
    } finally {
      clearTimeout(late)
      release?.()
    }
  }

  const askInTime = async (asked: Asked, stop: AbortSignal | undefined): Promise<Answer> => {
    const until = performance.now() + seconds * 1000 + (asked.body?.length ?? 0) / BYTES_PER_MS
    for (let tries = 1; ; tries++) {
      const left = until - performance.now()
      // A kept connection may be dead without a word: the first try leaves time for one on a new connection.
      const answer = await attempt(asked, tries === 1 ? left / 2 : left, stop)
      if (!(answer instanceof Failed)) return answer
      const wait = FIRST_PAUSE_MS * 4 ** (tries - 1) * (0.5 + Math.random())
      if (!answer.mayPass || tries === MAX_TRIES || performance.now() + wait >= until)
        throw new MediaAway(`S3 (${asked.name}): ${answer.words}`)
      await pause(wait)
    }
  }

  return {
    async ask(asked, stop) {
      const began = performance.now()
      const told = (outcome: 'success' | 'missing' | 'failed') =>
        measures.s3(asked.name, outcome, (performance.now() - began) / 1000)
      try {
        const answer = await askInTime(asked, stop)
        told(answer.status === 404 ? 'missing' : 'success')
        return answer
      } catch (error) {
        // A client that went away is no trouble of the server's.
        if (!stop?.aborted) told('failed')
        throw error
      }
    },

    async textOf(answer) {
      const late = setTimeout(answer.end, seconds * 1000)
      const parts: Uint8Array[] = []
      try {
        for (;;) {
          const { value, done } = (await answer.body?.read()) ?? { done: true, value: undefined }
          if (done) return Buffer.concat(parts).toString('utf8')
          parts.push(value)
        }
      } catch (error) {
        throw new MediaAway(`S3: the answer broke off (${wordsOf(error)})`)
      } finally {
        clearTimeout(late)
      }
    },
  }
}

class Failed {
  readonly words: string
  readonly mayPass: boolean
  constructor(words: string, mayPass: boolean) {
    this.words = words
    this.mayPass = mayPass
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

export const refusalWords = (status: number, body: Uint8Array | undefined): string => {
  const text = Buffer.from(body ?? '').toString('utf8')
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
  const todo = code && advice[code]
  return `answered ${status}${code ? ` ${code}` : ''}${todo ? `: ${todo}` : ''}`
}

/** The cause says what happened; `fetch failed` does not. */
const wordsOf = (error: unknown): string => {
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}
