import { createECDH } from 'node:crypto'
import { outsideUrl } from '../../lib/outbound/url.ts'

/** A browser's subscription: the address to post to, and the keys to encrypt for. */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string }

/** The push services of Chromium browsers, Firefox, Safari, and Edge on Windows. */
const KNOWN = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']

/**
 * Whether pushes may go to an address. A member can submit any address, so a public one is not enough: a post to the
 * member's own server would reveal ours. `more` are services that the operator trusts.
 */
export const isPushService = (endpoint: string, more: readonly string[]): boolean => {
  const url = outsideUrl(endpoint, false)
  if (!url) return false
  const { hostname } = new URL(url)
  return [...KNOWN, ...more].some((name) => hostname === name || hostname.endsWith(`.${name}`))
}

/** Whether the browser's key is valid for encryption. */
export const isSealable = ({ p256dh }: Pick<PushSubscription, 'p256dh'>): boolean => {
  try {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    pair.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}
