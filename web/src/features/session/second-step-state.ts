import { CallError, call, refusedBy } from '../../api/call.ts'
import { proveWithPasskey } from '../../api/passkey.ts'
import { t } from '../../i18n/i18n.ts'

export type FactorKind = 'passkey' | 'authenticator' | 'sms'
/** A sign-in that needs a second step. The password was right and is sent again with the proof. */
export type SecondStepState = {
  username: string
  password: string
  /** The password that the user has chosen, if the given one must be replaced. */
  chosen?: string
  kinds: readonly [FactorKind, ...FactorKind[]]
  /** The masked phone number; empty if there is none. */
  mobile: string
}

const codesOf = (error: unknown): SecondStepState['kinds'] | undefined => {
  if (refusedBy('login', error, 'session.needs_authenticator')) return ['authenticator']
  if (refusedBy('login', error, 'session.needs_sms')) return ['sms']
  if (refusedBy('login', error, 'session.needs_either')) return ['authenticator', 'sms']
  return undefined
}

const kindsOf = (error: unknown): SecondStepState['kinds'] | undefined => {
  if (refusedBy('login', error, 'session.needs_passkey')) return ['passkey']
  const codes = codesOf(error)
  return codes && error instanceof CallError && error.data.passkey === true ? ['passkey', ...codes] : codes
}

/** The message for the user. Any other error means that a script could not be loaded. */
export const messageOf = (error: unknown): string => (error instanceof CallError ? error.message : t('network.failed'))

/** AUTH-05: the second step that a refused sign-in requires, or the message of the refusal. */
export const afterRefusal = (
  error: unknown,
  own: Pick<SecondStepState, 'username' | 'password' | 'chosen'>,
): SecondStepState | string => {
  const kinds = kindsOf(error)
  const shown = error instanceof CallError ? error.data.mobile : undefined
  const mobile = typeof shown === 'string' ? shown : ''
  if (kinds && (mobile || !kinds.includes('sms'))) return { ...own, kinds, mobile }
  // AUTH-07: an unknown kind of second step, or SMS without a number.
  const unknown = kinds !== undefined || (error instanceof CallError && error.code > 7003 && error.code < 7100)
  return unknown ? t('second.unsupported') : messageOf(error)
}

/** Exchanges a code or a signature for a proof (`auth_done`). @throws CallError */
export const prove = async (
  { username, mobile }: SecondStepState,
  kind: FactorKind,
  typed: string,
): Promise<string> => {
  if (kind === 'passkey') return proveWithPasskey(username)
  const code = typed.trim()
  const bare = code.replace(/\s/g, '')
  const { auth_done } =
    kind === 'sms'
      ? await call('checkValidateCode', { username, mobile, token: bare })
      : await call('googleAuth', { username, secret: /^\d+$/.test(bare) ? bare : code })
  return auth_done
}
