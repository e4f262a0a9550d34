import { hash, randomBytes } from 'node:crypto'

/** Secrets of 256 random bits are stored as a plain SHA-256: guessing them is impossible without a slow hash. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

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
