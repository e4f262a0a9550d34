import type { Events } from './calls.ts'
import { bytesOf, hmacKey } from './hmac.ts'

/** An event, in one form wherever it comes from. `type` tells what `data` has. */
export type TallyroomEvent = {
  [Type in keyof Events]: {
    /** The same for each attempt, and in `event.list`. */
    id: string
    type: Type
    /** When it happened, in UTC. */
    timestamp: string
    data: Events[Type]
    /** Counts the events of your platform, from 1 on without a gap. */
    seq: number
    /** Counts the events of the account in `data.username` in the same way. */
    member_seq: number | null
    /** Of an ordered endpoint: an earlier event of the account has not been accepted. */
    after_gap?: true
  }
}[keyof Events]

/** The headers of a request: of `fetch`, or of a server of Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>
export type VerifyOptions = {
  /** The path of your address with its query. Only the older form needs it, which signs it. */
  path?: string
  /** How many seconds old a signature may be. 300 by default. */
  tolerance?: number
}

/** Nobody who has one of your secrets has signed this request, or it is too old. Answer it with status 401. */
export class WebhookNotSigned extends Error {
  override readonly name = 'WebhookNotSigned'
}

/**
 * Checks a webhook and returns its event. `secrets` are those of the endpoint (`whsec_…`), or of a key in the older form.
 * @throws WebhookNotSigned
 */
export const verify = async (
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secrets: string | readonly string[],
  { path = '', tolerance = 300 }: VerifyOptions = {},
): Promise<TallyroomEvent> => {
  const bytes = bytesOf(body)
  const all = typeof secrets === 'string' ? [secrets] : secrets
  const { timestamp, signed, signatures, keyOf } = schemeOf(headers, path)
  const text = joined(bytesOf(signed), bytes)
  // A time that is no number is not within the tolerance either.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= tolerance))
    throw new WebhookNotSigned(`The time of the webhook is not within ${tolerance} seconds: ${timestamp || 'none'}`)
  for (const secret of all) {
    const raw = keyOf(secret)
    const key = raw && raw.length > 0 ? await hmacKey(raw) : undefined
    for (const signature of signatures)
      if (key && signature && (await crypto.subtle.verify('HMAC', key, signature, text)))
        return eventOf(JSON.parse(new TextDecoder().decode(bytes)) as EventBody)
  }
  throw new WebhookNotSigned('The webhook is not signed with this secret')
}

type Bytes = Uint8Array<ArrayBuffer> | undefined
type Scheme = { timestamp: string; signed: string; signatures: Bytes[]; keyOf: (secret: string) => Bytes }

/** Standard Webhooks, or the older form, which is signed like a call. */
const schemeOf = (headers: WebhookHeaders, path: string): Scheme => {
  const header = (name: string) => {
    const value = isFetchHeaders(headers) ? headers.get(name) : headers[name]
    return typeof value === 'string' ? value : ''
  }
  const id = header('webhook-id')
  if (id !== '') {
    const timestamp = header('webhook-timestamp')
    return {
      timestamp,
      signed: `${id}.${timestamp}.`,
      // Two while a secret is replaced.
      signatures: header('webhook-signature')
        .split(' ')
        .map((one) => (one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined)),
      keyOf: (secret) => fromBase64(secret.replace(/^whsec_/, '')),
    }
  }
  const timestamp = header('x-tallyroom-timestamp')
  return {
    timestamp,
    signed: `webhook\nPOST\n${path}\n${timestamp}\n${header('x-tallyroom-nonce')}\n`,
    signatures: [fromHex(header('x-tallyroom-webhook-signature'))],
    keyOf: bytesOf,
  }
}
const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function'

const fromBase64 = (text: string): Bytes => {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
const fromHex = (text: string): Bytes =>
  /^(?:[\da-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : undefined
const joined = (first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>) => {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** An event as webhooks of both forms and `event.list` write it. */
export type EventBody = {
  id: string
  type?: string
  event?: string
  timestamp?: string
  at?: string
  data: Record<string, unknown>
  seq: number
  member_seq: number | null
  after_gap?: boolean
}
export const eventOf = ({ type, event, timestamp, at, ...same }: EventBody): TallyroomEvent =>
  ({ ...same, type: type ?? event, timestamp: timestamp ?? at }) as unknown as TallyroomEvent
