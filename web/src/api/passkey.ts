import type { Answer, Input } from '@tallyroom/contract'
import { t } from '../i18n/i18n.ts'
import { configured, configuredAgain } from '../lib/config.ts'
import { call, CallError } from './call.ts'

/** The code of a passkey that the user did not use; the server was not asked. */
const STOPPED = -1

/** Loaded at the first use: most sign-ins need none of it. */
const library = () => import('@simplewebauthn/browser')

/**
 * Whether this page offers passkeys: the browser has them, the server knows this address, and the page is not in a
 * frame of another site, where the server refuses them.
 */
export const offersPasskeys = async (): Promise<boolean> => {
  if (typeof window.PublicKeyCredential !== 'function' || window.top !== window) return false
  return (await configured()).passkeys === true
}

/** Whether the sign-in offers passkeys: somebody must have one, or the button would lead nowhere. */
export const offersPasskeySignIn = async (): Promise<boolean> =>
  (await offersPasskeys()) && (await configured()).passkey_sign_in === true

export type Signed = Input<'passkey/prove'>['passkey']

/** @throws CallError also when the user stops, or has no passkey here */
const used = async <T>(work: (passkeys: Awaited<ReturnType<typeof library>>) => Promise<T>): Promise<T> => {
  const passkeys = await library()
  try {
    return await work(passkeys)
  } catch {
    throw new CallError(STOPPED, t('passkey.stopped'))
  }
}

const sign = (optionsJSON: Answer<'passkey/begin'>): Promise<Signed> =>
  used(({ startAuthentication }) => startAuthentication({ optionsJSON }))

/** Signs in with any passkey of this address that the user picks. */
export const signInWithPasskey = async (face: 'office' | 'member'): Promise<Answer<'login'>> =>
  call('login', { face, passkey: await sign(await call('passkey/begin', {})) })

/** Exchanges a signature for the proof (`auth_done`) of a sign-in that waits for its second step. */
export const proveWithPasskey = async (username: string): Promise<string> => {
  const passkey = await sign(await call('passkey/beginStep', { username }))
  return (await call('passkey/finishStep', { username, passkey })).auth_done
}

/** Confirms points in place of the payment password. */
export const signPoints = async (points: Input<'passkey/beginPoints'>): Promise<Signed> =>
  sign(await call('passkey/beginPoints', points))

/** Exchanges a signature for a code that proves the second factor once. */
export const codeFromPasskey = async (): Promise<string> => {
  const passkey = await sign(await call('passkey/beginProof', {}))
  return (await call('passkey/prove', { passkey })).code
}

/** Makes a new passkey on this device and adds it to the account. */
export const addPasskey = async (name: string, proof: Input<'passkey/beginAdd'>): Promise<Answer<'passkey/add'>> => {
  const optionsJSON = await call('passkey/beginAdd', proof)
  const passkey = await used(({ startRegistration }) => startRegistration({ optionsJSON }))
  const added = await call('passkey/add', { passkey, name })
  // It may be the first one of the installation.
  void configuredAgain()
  return added
}

type Chosen = Pick<Input<'recovery/finishPasskey'>, 'new_password' | 'new_password_confirmation'>

/** Replaces a forgotten password. The passkey names the account. */
export const recoverWithPasskey = async (face: 'office' | 'member', chosen: Chosen) => {
  const passkey = await sign(await call('recovery/beginPasskey', {}))
  return call('recovery/finishPasskey', { passkey, face, ...chosen })
}

export type RecoveryWays = { sms: boolean; passkeys: boolean }

/** How this page can replace a forgotten password; undefined when there is no way. */
export const recoveryWays = async (): Promise<RecoveryWays | undefined> => {
  const [{ recovery_sms }, passkeys] = await Promise.all([configured(), offersPasskeySignIn()])
  const sms = recovery_sms === true
  return sms || passkeys ? { sms, passkeys } : undefined
}
