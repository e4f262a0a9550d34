import { createHash, randomBytes } from 'node:crypto'

/** Secrets of 256 bits are stored as their hash; nothing slower is needed against guessing. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A cookie's name. Over TLS the prefix keeps other hosts and plain http from setting it. */
export const cookieName = (what: string, secure: boolean): string => `${secure ? '__Host-' : ''}tallyroom_${what}`

/** The hashes of what a Cookie header holds under a name; more than one when http and https were both used. */
export const cookieHashes = (header: string | undefined, what: string): Buffer[] => {
  const names = [cookieName(what, true), cookieName(what, false)]
  return (header ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=')
    return name && value && names.includes(name) ? [sha256(value)] : []
  })
}
