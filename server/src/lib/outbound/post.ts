import dns from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { version } from '../version.mjs'
import { isPublicAddress } from './address.ts'

/** The longest that an attempt takes. */
export const SECONDS = 15
/** How much of an answer is kept, and how long it may take after its status. */
const MAX_BODY = 1024
const BODY_MS = 1000

type PostOptions = {
  headers: Record<string, string | number>
  body: string | Buffer
  /** Allows private addresses. */
  allowPrivate: boolean
  /** Aborted, it ends the attempt. */
  stops?: AbortSignal | undefined
}

export type Answered = {
  /** The HTTP status, or the reason why there is none. */
  answer: string
  /** The first kilobyte of it. */
  body: string
  /** The seconds of its `Retry-After`. */
  retryAfter: number | undefined
}

/** Resolves to the HTTP status, or the reason why there is none. Redirects are not followed. */
export const postTo = async (url: URL, options: PostOptions): Promise<string> => (await post(url, options)).answer

/** The same with the beginning of the answer's body. A connection that the other side has closed meanwhile is opened again. */
export const post = async (url: URL, options: PostOptions): Promise<Answered> => {
  const sent = await send(url, options, false)
  return sent.isStale ? send(url, options, true) : sent
}

/** A connection that is not used for so long is closed: the name is looked up again. */
const IDLE_MS = 4000
const keeping = { keepAlive: true, timeout: IDLE_MS }
/** Connections whose address was checked are never used for what needs no check, nor the other way round. */
const agents = {
  checked: { 'http:': new http.Agent(keeping), 'https:': new https.Agent(keeping) },
  private: { 'http:': new http.Agent(keeping), 'https:': new https.Agent(keeping) },
}

/** `isStale`: a kept connection was closed before any answer. */
const send = (
  url: URL,
  { headers, body, allowPrivate, stops }: PostOptions,
  isNew: boolean,
): Promise<Answered & { isStale: boolean }> =>
  new Promise((resolve) => {
    const without = (reason: string, isStale = false) =>
      resolve({ answer: reason, body: '', retryAfter: undefined, isStale })
    const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
    const call = protocol === 'https:' ? https.request : http.request
    const sent = call(
      url,
      {
        method: 'POST',
        agent: isNew ? false : agents[allowPrivate ? 'private' : 'checked'][protocol],
        ...(stops && { signal: stops }),
        lookup: allowPrivate ? dns.lookup : guarded,
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': `Tallyroom/${version}` },
      },
      (answer) => {
        const seconds = Number(answer.headers['retry-after'] ?? Number.NaN)
        const parts: Buffer[] = []
        const finish = () => {
          clearTimeout(cut)
          const text = Buffer.concat(parts).subarray(0, MAX_BODY).toString().replaceAll('\0', '')
          resolve({
            answer: String(answer.statusCode ?? 0),
            body: text,
            retryAfter: seconds >= 0 ? seconds : undefined,
            isStale: false,
          })
          // The connection of an answer that was not read to its end serves nothing else.
          if (!answer.complete) sent.destroy()
        }
        const cut = setTimeout(finish, BODY_MS)
        answer.on('data', (part: Buffer) => {
          parts.push(part)
          if (Buffer.concat(parts).length >= MAX_BODY) finish()
        })
        answer.on('end', finish)
        answer.on('close', finish)
        answer.on('error', finish)
      },
    )
    const late = setTimeout(() => sent.destroy(new Error('timeout')), SECONDS * 1000)
    sent.on('close', () => clearTimeout(late))
    sent.on('error', (error: NodeJS.ErrnoException) =>
      without(error.code ?? error.message, sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')),
    )
    // `lookup` is not called for IP addresses, so they are checked here.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !allowPrivate && !isPublicAddress(host)) sent.destroy(new Error('private_address'))
    else sent.end(body)
  })

/** Resolves a name once, refuses it when any address is private, and connects to the checked address. */
export const guarded: LookupFunction = (name, options, done) => {
  dns.lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(Object.assign(new Error('private_address'), { code: 'private_address' }), '', 0)
    if (options.all) return done(null, addresses)
    return done(null, first.address, first.family)
  })
}
