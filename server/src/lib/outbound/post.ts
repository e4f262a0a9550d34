import dns from 'node:dns'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './address.ts'

const SECONDS = 10

type Sending = {
  headers: Record<string, string | number>
  body: string | Buffer
  /** It may go to private addresses. */
  inside: boolean
}

/** The status, or why there is none. Redirects are not followed, and of the answer nothing but its number is read. */
export const postTo = (url: URL, { headers, body, inside }: Sending): Promise<string> =>
  new Promise((resolve) => {
    const call = url.protocol === 'https:' ? secure : plain
    const sent = call(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: inside ? dns.lookup : guarded,
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Tallyroom' },
      },
      (answer) => {
        resolve(String(answer.statusCode ?? 0))
        sent.destroy()
      },
    )
    const late = setTimeout(() => sent.destroy(new Error('timeout')), SECONDS * 1000)
    sent.on('close', () => clearTimeout(late))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    // A number for a name is not looked up at all: it was judged as text.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !inside && !isPublicAddress(host)) sent.destroy(new Error('private_address'))
    else sent.end(body)
  })

/** Looks a name up once, refuses it when any of its addresses lies inside, and connects to what was judged. */
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
