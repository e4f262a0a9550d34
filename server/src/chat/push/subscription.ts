import { createECDH } from 'node:crypto'
import { outsideUrl } from '../../lib/outbound/url.ts'

/** A browser's push subscription: the address to post to, and the keys to encrypt for (base64url). */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string }

/** Push services of Chromium browsers, Firefox, Safari, and Edge on Windows. */
const KNOWN = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']

/**
 * Whether the server may post to an address. A member may send any address; posting to a server of the member's own would
 * reveal the installation's address. So only known services and those in `more` (set by the operator) are allowed.
 */
export const isPushService = (endpoint: string, more: readonly string[]): boolean => {
  const url = outsideUrl(endpoint, false)
  if (!url) return false
  const { hostname } = new URL(url)
  return [...KNOWN, ...more].some((name) => hostname === name || hostname.endsWith(`.${name}`))
}

/** Whether the key is a point of the curve, so that a message can be encrypted for it. */
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
