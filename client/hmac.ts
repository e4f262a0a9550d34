/** The bytes of a text in UTF-8, or a copy of bytes. */
export const bytesOf = (value: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof value === 'string' ? new TextEncoder().encode(value) : new Uint8Array(value)

export const hmacKey = (secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

/** HMAC-SHA256 in hex. */
export const hmacOf = async (key: CryptoKey, text: string): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(text)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
