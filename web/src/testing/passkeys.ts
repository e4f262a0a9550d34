import type { Answer } from '@tallyroom/contract'
import { onTestFinished, vi } from 'vitest'

const bytes = Uint8Array.of(1, 2, 3).buffer
const ENCODED = 'AQID'
const named = { id: ENCODED, rawId: bytes, type: 'public-key', getClientExtensionResults: () => ({}) }

/** Until the end of the test the browser has passkeys. `get` and `create` stand for the user who unlocks one. */
export const withPasskeys = () => {
  const get = vi.fn<() => Promise<object>>(() =>
    Promise.resolve({ ...named, response: { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes } }),
  )
  const create = vi.fn<() => Promise<object>>(() =>
    Promise.resolve({ ...named, response: { clientDataJSON: bytes, attestationObject: bytes } }),
  )
  const before = Object.getOwnPropertyDescriptor(navigator, 'credentials')
  Object.defineProperty(navigator, 'credentials', { value: { get, create }, configurable: true })
  Object.defineProperty(window, 'PublicKeyCredential', { value: vi.fn<() => void>(), configurable: true })
  onTestFinished(() => {
    if (before) Object.defineProperty(navigator, 'credentials', before)
    else Reflect.deleteProperty(navigator, 'credentials')
    Reflect.deleteProperty(window, 'PublicKeyCredential')
  })
  return { get, create }
}

/** What the browser then sends. */
export const signed = {
  id: ENCODED,
  rawId: ENCODED,
  type: 'public-key',
  response: { clientDataJSON: ENCODED, authenticatorData: ENCODED, signature: ENCODED },
}
export const created = {
  ...signed,
  response: { clientDataJSON: ENCODED, attestationObject: ENCODED },
}

export const signOptions: Answer<'passkey/begin'> = {
  challenge: ENCODED,
  rpId: 'localhost',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [],
}
export const createOptions: Answer<'passkey/beginAdd'> = {
  rp: { id: 'localhost', name: 'Tallyroom' },
  user: { id: ENCODED, name: 'ann01', displayName: 'Ann' },
  challenge: ENCODED,
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 300_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
}
export const passkeyRow = (fields: Partial<Answer<'passkey/list'>['data'][number]> = {}) => ({
  id: 3,
  name: 'Laptop',
  host: 'localhost',
  created_at: '2026-11-01T10:00:00Z',
  used_at: null,
  copied: false,
  ...fields,
})
