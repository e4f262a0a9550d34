import { createECDH } from 'node:crypto'
import { outsideUrl } from '../../lib/outbound/url.ts'

/** What a browser subscribes with: where to post, and the keys for which it is sealed. */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string }

/** Those of Chromium's and its kin, of Firefox, of Safari and of Edge on Windows. */
const KNOWN = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']

/**
 * Whether we would ever post to an address. A member may give any, so it is not enough that it lies outside: by calling
 * on a server of his own we would tell him where we are. `more` are services that the operator trusts besides.
 */
export const isPushService = (endpoint: string, more: readonly string[]): boolean => {
  const url = outsideUrl(endpoint, false)
  if (!url) return false
  const { hostname } = new URL(url)
  return [...KNOWN, ...more].some((name) => hostname === name || hostname.endsWith(`.${name}`))
}

/** Whether something can be sealed for these keys. */
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
