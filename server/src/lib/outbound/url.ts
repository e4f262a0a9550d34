import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'

/**
 * Normalizes an outside URL that a person typed; undefined when we would never send anything there. Only the text is
 * checked, without a DNS lookup: the addresses of a name are checked when something is sent.
 */
export const outsideUrl = (text: string, allowPrivate: boolean): string | undefined => {
  // URL parsers remove or replace these silently.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || url.hash) return undefined
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (allowPrivate) return url.href
  if (isIP(host)) return isPublicAddress(host) ? url.href : undefined
  return isPublicName(host) && isWebPort(url.port) ? url.href : undefined
}

/** False for names that only ever resolve inside. A name without a dot belongs to the local network. */
const isPublicName = (host: string): boolean => {
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !/(^|\.)(localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid)$/.test(name)
}

/** Not the ports of mail servers, databases and shells. */
const isWebPort = (port: string): boolean => port === '' || port === '443' || Number(port) >= 8000
