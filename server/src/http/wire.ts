import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** The server's side of the envelope (see contract/wire.ts). It carries no authority. */
export type Wire = {
  /** The payload; undefined for any fault, so that callers cannot tell faults apart. */
  open(name: string, body: unknown): Opened | undefined
  seal(name: string, payload: unknown): { params: string; key: string }
}
type Opened = { payload: Record<string, unknown>; params: string }

const NONCE = 12
const TAG = 16
const MAX_DEPTH = 8

export const makeWire = (secret: string): Wire => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tallyroom/params/v1', 32))
  const keyOf = (params: string) => hash('md5', params + secret)

  const decrypt = (name: string, params: string): string => {
    const bytes = Buffer.from(params, 'base64url')
    // Node ignores characters that are not base64url, so two texts could open as one.
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
        return isRecord(payload) && depth(payload) <= MAX_DEPTH ? { payload, params: body.params } : undefined
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
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depth(inner))
  return deepest + 1
}

/** Replaces half surrogate pairs, which truncated texts end in, by U+FFFD: the database cannot store them. */
const parse = (text: string): unknown =>
  /\\u[dD][89a-fA-F]/.test(text)
    ? JSON.parse(text, (_, value: unknown) =>
        typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value,
      )
    : JSON.parse(text)
