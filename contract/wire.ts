import { gcm } from '@noble/ciphers/aes.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { md5 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * The envelope of every call, as the browser makes it (the server has its own with node:crypto):
 * `params` = base64url(nonce 12 | AES-256-GCM ciphertext | tag 16) of the payload's JSON, `key` = MD5 hex of params +
 * secret. The additional data is the call's name: an envelope made for one call does not open for another.
 *
 * The secret is public (`/config.json`), so an envelope carries NO authority. Identity comes from the session, rights
 * from the policy, secrecy from TLS.
 */
export type Envelope = { params: string; key: string }

const keys = new Map<string, Uint8Array>()
const keyOf = (secret: string) => {
  const known = keys.get(secret)
  if (known) return known
  const made = hkdf(sha256, utf8ToBytes(secret), undefined, utf8ToBytes('tallyroom/params/v1'), 32)
  keys.set(secret, made)
  return made
}

export const seal = (name: string, payload: unknown, secret: string): Envelope => {
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const cipher = gcm(keyOf(secret), nonce, utf8ToBytes(name))
  const sealed = cipher.encrypt(utf8ToBytes(JSON.stringify(payload)))
  const bytes = new Uint8Array(nonce.length + sealed.length)
  bytes.set(nonce)
  bytes.set(sealed, nonce.length)
  const params = toBase64Url(bytes)
  return { params, key: bytesToHex(md5(utf8ToBytes(params + secret))) }
}

/** Opens what `seal` made. @throws when the secret or the call differs */
export const open = (name: string, params: string, secret: string): unknown => {
  const bytes = fromBase64Url(params)
  const cipher = gcm(keyOf(secret), bytes.subarray(0, 12), utf8ToBytes(name))
  return JSON.parse(new TextDecoder().decode(cipher.decrypt(bytes.subarray(12))))
}

const toBase64Url = (bytes: Uint8Array) => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
