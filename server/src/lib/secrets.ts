import { hash, randomBytes } from 'node:crypto'

/** Secrets of 256 random bits are stored as a plain SHA-256: guessing them is impossible without a slow hash. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

const BLOCK = 64
/**
 * HMAC-SHA-256 (RFC 2104) by two one-shot hashes: an object of `createHmac` costs several times as much, and every call
 * makes one. `key` has at most 64 bytes.
 */
export const hmac = (key: Buffer): ((text: string) => Buffer) => {
  if (key.length > BLOCK) throw new Error(`a key of ${key.length} bytes is longer than a block of ${BLOCK}`)
  const pad = (by: number) => Buffer.alloc(BLOCK, by).map((byte, at) => byte ^ (key[at] ?? 0))
  const [inner, outer] = [pad(0x36), pad(0x5c)]
  return (text) =>
    hash(
      'sha256',
      Buffer.concat([outer, hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')]),
      'buffer',
    )
}

/** A cookie's name. Over TLS the prefix keeps other hosts and plain http from setting the cookie. */
export const cookieName = (what: string, secure: boolean): string => `${secure ? '__Host-' : ''}tallyroom_${what}`

/** The hashes of the cookie's values; two when it was set over both http and https. */
export const cookieHashes = (header: string | undefined, what: string): Buffer[] => {
  const names = [cookieName(what, true), cookieName(what, false)]
  return (header ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=')
    return name && value && names.includes(name) ? [sha256(value)] : []
  })
}
