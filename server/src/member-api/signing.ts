import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signature is made over, of calls to us and of webhooks from us. */
export type Signed = { method: string; path: string; timestamp: string; nonce: string; body: string | Buffer }

/** HMAC-SHA256 in hex over method, path, timestamp and nonce, a line each, and then the body as it is sent. */
export const signatureOf = (secret: string, { method, path, timestamp, nonce, body }: Signed): string =>
  createHmac('sha256', secret).update(`${method}\n${path}\n${timestamp}\n${nonce}\n`).update(body).digest('hex')

/** Takes as long for a wrong signature as for a right one. */
export const isSignature = (given: string, secret: string, signed: Signed): boolean => {
  const right = Buffer.from(signatureOf(secret, signed))
  const wrong = Buffer.from(given.toLowerCase())
  return right.length === wrong.length && timingSafeEqual(right, wrong)
}
