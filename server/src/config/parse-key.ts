export const BYTES = 32

export const KEY_RULE = '32 bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32).'

/** 64 hexadecimal digits, or base64 of 32 bytes. */
export const parseKey = (text: string): Buffer | undefined => {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(trimmed)) return undefined
  const bytes = Buffer.from(trimmed, 'base64')
  return bytes.length === BYTES ? bytes : undefined
}
