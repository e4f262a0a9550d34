import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { isPublicAddress } from '../lib/outbound/address.ts'

const WARN_EVERY_MS = 3_600_000

/**
 * Compares the proxies that a call came through with TRUSTED_PROXIES: with a wrong number all clients have one address, or
 * choose theirs, and nothing else would show it.
 */
export const watchProxies = (trusted: number, log: Pick<Logger, 'warn'>): ((request: IncomingMessage) => void) => {
  let warnedAt = -Infinity
  const warn = (facts: object, words: string) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn(facts, words)
  }
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined && trusted === 0) return
    const proxies = String(forwarded ?? '')
      .split(',')
      .filter((hop) => hop.trim()).length
    const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    if (proxies < trusted)
      warn(
        { from, proxies, trusted },
        'A call came through fewer proxies than TRUSTED_PROXIES says: a client that sends such calls chooses the address that its limits apply to',
      )
    // A client on the internet may send the header too.
    else if (trusted === 0 && !isPublicAddress(from))
      warn(
        { from, proxies, trusted },
        'Calls come through a proxy, but TRUSTED_PROXIES is 0: all clients have the address of the proxy, and share its limits',
      )
  }
}
