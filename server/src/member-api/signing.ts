import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signed parts of a request. */
export type Signed = { method: string; path: string; timestamp: string; nonce: string; body: string | Buffer }

/** HMAC-SHA256 in hex over method, path, timestamp and nonce, each with a line feed, then the body as sent. */
export const signatureOf = (secret: string, { method, path, timestamp, nonce, body }: Signed): string =>
  createHmac('sha256', secret).update(`${method}\n${path}\n${timestamp}\n${nonce}\n`).update(body).digest('hex')

/**
 * The signature of a webhook: the same with the word `webhook` and a line feed first. Without the word, a webhook sent
 * back to us would be a valid call, and a call forwarded to a receiver a valid webhook.
 */
export const webhookSignatureOf = (secret: string, signed: Signed): string =>
  signatureOf(secret, { ...signed, method: `webhook\n${signed.method}` })

/** The body of a webhook. The id comes first and is also the nonce, by which `isWebhook` recognizes it. */
export const webhookBody = (
  id: string,
  event: { event: string; at: string; data: unknown; seq: number; member_seq: number | null; after_gap?: boolean },
): string => JSON.stringify({ id, ...event })

/**
 * Webhooks also carry a signature without the word, for old receivers. It covers body and nonce, so everything that we
 * signed that way is recognized here and never accepted as a call.
 */
export const isWebhook = ({ nonce, body }: Signed): boolean => body.toString().startsWith(`{"id":"${nonce}",`)

/** Compares in constant time. */
export const isSignature = (given: string, secret: string, signed: Signed): boolean => {
  const right = Buffer.from(signatureOf(secret, signed))
  const wrong = Buffer.from(given.toLowerCase())
  return right.length === wrong.length && timingSafeEqual(right, wrong)
}
