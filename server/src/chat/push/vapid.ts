import { createECDH, createHmac } from 'node:crypto'
import type { InstallationKey } from '../../identity/installation-key.ts'

/** Prove to push services who sends (VAPID). Derived from the installation's key: every copy has the same, nothing is stored. */
export type VapidKeys = { publicKey: string; privateKey: string; topicOf: (room: string) => string }

export const loadVapidKeys = (key: InstallationKey): VapidKeys => {
  const pair = createECDH('prime256v1')
  const seed = key.derive('push/v1')
  // About one in 2^32 numbers of this length is not a valid private key.
  for (let n = 0; ; n++) {
    try {
      pair.setPrivateKey(n === 0 ? seed : createHmac('sha256', seed).update(String(n)).digest())
      break
    } catch {
      // Try the next one.
    }
  }
  const topics = key.derive('push-topics/v1')
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    // The service replaces an undelivered push of the same topic. Hashed, so that the service does not learn the room's code.
    topicOf: (room) => createHmac('sha256', topics).update(room).digest('base64url').slice(0, 32),
  }
}
