import { createECDH, createHmac } from 'node:crypto'
import type { InstallationKey } from '../../identity/installation-key.ts'

/** By which push services know that it is we who send (VAPID): made of the installation's key, so no copy differs and nothing is stored. */
export type VapidKeys = { publicKey: string; privateKey: string; topicOf: (room: string) => string }

export const loadVapidKeys = (key: InstallationKey): VapidKeys => {
  const pair = createECDH('prime256v1')
  const seed = key.derive('push/v1')
  // One in four thousand million numbers of this length is none of the curve's.
  for (let n = 0; ; n++) {
    try {
      pair.setPrivateKey(n === 0 ? seed : createHmac('sha256', seed).update(String(n)).digest())
      break
    } catch {
      // The next one.
    }
  }
  const topics = key.derive('push-topics/v1')
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    // The service lets a later push of a topic take the place of one not yet brought, and learns no code by it.
    topicOf: (room) => createHmac('sha256', topics).update(room).digest('base64url').slice(0, 32),
  }
}
