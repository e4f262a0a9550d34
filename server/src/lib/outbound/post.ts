import dns from 'node:dns'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { version } from '../version.mjs'
import { isPublicAddress } from './address.ts'

const SECONDS = 10

type PostOptions = {
  headers: Record<string, string | number>
  body: string | Buffer
  /** Allows private addresses. */
  allowPrivate: boolean
  /** Aborted, it ends the attempt. */
  stops?: AbortSignal | undefined
}

/** Resolves to the HTTP status, or the reason why there is none. Redirects are not followed, the body is not read. */
export const postTo = (url: URL, { headers, body, allowPrivate, stops }: PostOptions): Promise<string> =>
  new Promise((resolve) => {
    const call = url.protocol === 'https:' ? secure : plain
    const sent = call(
      url,
      {
        method: 'POST',
        agent: false,
        ...(stops && { signal: stops }),
        lookup: allowPrivate ? dns.lookup : guarded,
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': `Tallyroom/${version}` },
      },
      (answer) => {
        resolve(String(answer.statusCode ?? 0))
        sent.destroy()
      },
    )
    const late = setTimeout(() => sent.destroy(new Error('timeout')), SECONDS * 1000)
    sent.on('close', () => clearTimeout(late))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
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
