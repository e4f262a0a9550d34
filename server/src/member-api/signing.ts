import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signature is made over. */
export type Signed = { method: string; path: string; timestamp: string; nonce: string; body: string | Buffer }

/** HMAC-SHA256 in hex over method, path, timestamp and nonce, a line each, and then the body as it is sent. */
export const signatureOf = (secret: string, { method, path, timestamp, nonce, body }: Signed): string =>
  createHmac('sha256', secret).update(`${method}\n${path}\n${timestamp}\n${nonce}\n`).update(body).digest('hex')

/**
 * A webhook's own signature: the same, with the word `webhook` and a line feed first. Without the word a webhook that comes
 * back to us, or a call that is sent on to a receiver, would pass for the other one.
 */
export const webhookSignatureOf = (secret: string, signed: Signed): string =>
  signatureOf(secret, { ...signed, method: `webhook\n${signed.method}` })

/** The body of a webhook. Its id comes first, and is the nonce that it is signed with: `isWebhook` knows it by that. */
export const webhookBody = (id: string, event: { event: string; at: string; data: unknown }): string =>
  JSON.stringify({ id, ...event })

/**
 * Webhooks also carry a signature without the word, for receivers from before it. It covers body and nonce, so whatever has
 * such a signature of ours is known here, and is never taken for a call.
 */
export const isWebhook = ({ nonce, body }: Signed): boolean => body.toString().startsWith(`{"id":"${nonce}",`)

/** Takes as long for a wrong signature as for a right one. */
export const isSignature = (given: string, secret: string, signed: Signed): boolean => {
  const right = Buffer.from(signatureOf(secret, signed))
  const wrong = Buffer.from(given.toLowerCase())
  return right.length === wrong.length && timingSafeEqual(right, wrong)
}
