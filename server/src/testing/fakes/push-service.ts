import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll } from 'vitest'
import { startPush } from '../../chat/push/push.ts'
import { isPushService } from '../../chat/push/subscription.ts'
import type { Person, TestServer } from '../app.ts'

export type ReceivedPush = { path: string; headers: IncomingHttpHeaders; body: Buffer }

/** Makes a server send its pushes to a push service on this machine, which receives posts and cannot decrypt them. */
export const startPushService = async (server: TestServer) => {
  const received: ReceivedPush[] = []
  const state = { status: 201 }
  const service = createServer((request, answer) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
      answer.writeHead(state.status).end()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  afterAll(() => service.close())
  const address = service.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const parts = server.services
  await parts.push.stop()
  const accepts = (endpoint: string) => endpoint.startsWith(`${origin}/`) || isPushService(endpoint, [])
  // The hub holds this object (chat/push/with-push.ts).
  Object.assign(parts.push, startPush({ ...parts, policy: { accepts, allowPrivate: true } }))

  /** A browser: its keys, and what it decrypts from its pushes (RFC 8291). */
  const makeBrowser = () => {
    const pair = createECDH('prime256v1')
    const p256dh = pair.generateKeys().toString('base64url')
    const auth = randomBytes(16)
    const path = `/${randomBytes(8).toString('hex')}`
    const open = (body: Buffer) => {
      const salt = body.subarray(0, 16)
      const theirs = body.subarray(21, 21 + (body[20] ?? 0))
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs])
      const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(theirs), auth, info, 32))
      const derive = (what: string, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${what}\0`, length))
      const sealed = body.subarray(21 + theirs.length)
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      decipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as Record<string, string>
    }
    return {
      subscription: { endpoint: `${origin}${path}`, p256dh, auth: auth.toString('base64url') },
      delivered: () => received.filter((one) => one.path === path),
      read: () => received.filter((one) => one.path === path).map(({ body }) => open(body)),
    }
  }
  const subscribed = async (person: Person) => {
    const browser = makeBrowser()
    await person.call('push/subscribe', browser.subscription)
    return browser
  }
  return { origin, state, subscribed }
}
