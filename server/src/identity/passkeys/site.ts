import { isIP } from 'node:net'
import type { Settings } from '../../config/settings.ts'
import { refuse } from '../../lib/refusal.ts'

/** The origin of a page, and the host name for which its passkeys are made. */
export type PasskeySite = { origin: string; host: string }
type Addresses = Pick<Settings, 'publicUrl' | 'origins'>
export type SiteProblem = 'not_here' | 'needs_name'

const parsed = (text: string | undefined): URL | undefined =>
  text !== undefined && URL.canParse(text) ? new URL(text) : undefined

const isOurs = ({ publicUrl, origins }: Addresses, { origin, hostname }: URL): boolean =>
  parsed(publicUrl)?.origin === origin ||
  origins.includes(origin) ||
  // Before an address is configured, passkeys can be tried on the machine itself.
  (publicUrl === undefined && hostname === 'localhost')

/**
 * Whether passkeys work at a page's origin. Only configured addresses count: a client may send any Host header, and a
 * passkey would then be made for a host that is not ours.
 */
export const siteOf = (addresses: Addresses, origin: string | undefined): PasskeySite | SiteProblem => {
  const url = parsed(origin)
  if (!url) return 'not_here'
  // A browser makes no passkeys for an IP address.
  if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) return 'needs_name'
  return isOurs(addresses, url) ? { origin: url.origin, host: url.hostname } : 'not_here'
}

/** @throws Refused with passkey.not_here or passkey.needs_name */
export const needSite = (addresses: Addresses, origin: string | undefined): PasskeySite => {
  const site = siteOf(addresses, origin)
  return typeof site === 'string' ? refuse(`passkey.${site}`) : site
}

/** Whether the page of a Host header offers passkeys. For display only: the scheme may be a proxy's. */
export const offersPasskeys = (addresses: Addresses, host: string): boolean =>
  ['https', 'http'].some((scheme) => typeof siteOf(addresses, `${scheme}://${host}`) !== 'string')
