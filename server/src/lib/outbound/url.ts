import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'

/**
 * An address outside that a person typed, in its normal form; undefined when we would never send anything there. Only the
 * text is judged: no name is looked up and nothing is opened. What a name leads to is judged when something is sent.
 */
export const outsideUrl = (text: string, allowPrivate: boolean): string | undefined => {
  // A browser's parser would quietly take these away or turn them into something else.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || url.hash) return undefined
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (allowPrivate) return url.href
  if (isIP(host)) return isPublicAddress(host) ? url.href : undefined
  return isPublicName(host) && isWebPort(url.port) ? url.href : undefined
}

/** Names that only ever lead inside. A name without a dot is one of the own network. */
const isPublicName = (host: string): boolean => {
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !/(^|\.)(localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid)$/.test(name)
}

/** Not the ports of mail, databases and shells. */
const isWebPort = (port: string): boolean => port === '' || port === '443' || Number(port) >= 8000
