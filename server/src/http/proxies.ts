import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { forwardedFor } from './connections.ts'
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
  return (request) => {
    const proxies = forwardedFor(request).length
    if (proxies === 0 && trusted === 0) return
    const from = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
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
