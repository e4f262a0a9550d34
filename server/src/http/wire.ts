import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** The server's side of the envelope; `contract/wire.ts` says what it is, and that it carries no authority. */
export type Wire = {
  /** The payload, or undefined for whatever is wrong with it: every fault looks the same from outside. */
  open(name: string, body: unknown): Opened | undefined
  seal(name: string, payload: unknown): { params: string; key: string }
}
export type Opened = { payload: Record<string, unknown>; params: string }

const NONCE = 12
const TAG = 16
const DEEPEST = 8

export const makeWire = (secret: string): Wire => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tallyroom/params/v1', 32))
  const keyOf = (params: string) =>
    createHash('md5')
      .update(params + secret)
      .digest('hex')

  const decrypt = (name: string, params: string): string => {
    const bytes = Buffer.from(params, 'base64url')
    // Node ignores letters that are not base64url; then two texts would open as one.
    if (bytes.length < NONCE + TAG || bytes.toString('base64url') !== params) throw new Error('not base64url')
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    cipher.setAAD(Buffer.from(name))
    cipher.setAuthTag(bytes.subarray(-TAG))
    return Buffer.concat([cipher.update(bytes.subarray(NONCE, -TAG)), cipher.final()]).toString('utf8')
  }

  return {
    open(name, body) {
      if (!isEnvelope(body) || !same(body.key, keyOf(body.params))) return undefined
      try {
        const payload: unknown = parse(decrypt(name, body.params))
        return isRecord(payload) && depth(payload) <= DEEPEST ? { payload, params: body.params } : undefined
      } catch {
        return undefined
      }
    },
    seal(name, payload) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
      cipher.setAAD(Buffer.from(name))
      const sealed = Buffer.concat([
        nonce,
        cipher.update(JSON.stringify(payload), 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      const params = sealed.toString('base64url')
      return { params, key: keyOf(params) }
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEnvelope = (body: unknown): body is { params: string; key: string } =>
  isRecord(body) && typeof body.params === 'string' && typeof body.key === 'string' && /^[0-9a-f]{32}$/.test(body.key)

const same = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b))

const depth = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const inside of Object.values(value)) deepest = Math.max(deepest, depth(inside))
  return deepest + 1
}

/** Half of a letter, as a text cut by its length ends in: the database keeps none. It becomes the sign for what cannot be read. */
const parse = (text: string): unknown =>
  /\\u[dD][89a-fA-F]/.test(text)
    ? JSON.parse(text, (_, value: unknown) =>
        typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value,
      )
    : JSON.parse(text)
