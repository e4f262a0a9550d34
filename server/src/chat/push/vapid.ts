import { createECDH, createHmac } from 'node:crypto'
import type { InstallationKey } from '../../data/installation-key.ts'

/**
 * The key pair by which push services recognize this installation (VAPID). Derived from the installation's key: all
 * copies have the same one, and nothing is stored.
 */
export type VapidKeys = { publicKey: string; privateKey: string; topicOf: (room: string) => string }

export const loadVapidKeys = (key: InstallationKey): VapidKeys => {
  const pair = createECDH('prime256v1')
  const seed = key.derive('push/v1')
  // One in four thousand million numbers of this length is not a valid key of the curve.
  for (let n = 0; ; n++) {
    try {
      pair.setPrivateKey(n === 0 ? seed : createHmac('sha256', seed).update(String(n)).digest())
      break
    } catch {
      // Try the next number.
    }
  }
  const topics = key.derive('push-topics/v1')
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    // A push replaces an undelivered earlier one of its topic. The hash keeps the room's code from the service.
    topicOf: (room) => createHmac('sha256', topics).update(room).digest('base64url').slice(0, 32),
  }
}
