import { MAX_NEW_PASSWORD, MAX_USERNAME, MIN_PASSWORD, MIN_USERNAME } from '@tallyroom/contract/lengths'
import { typedKey } from '@tallyroom/contract/text/typed-key'
import type { Translate } from '../../i18n/i18n.ts'

export type SignUp = { username: string; nickname: string; password: string; password_confirmation: string }
export type SignUpErrors = Partial<Record<keyof SignUp, string>>

/** Validation before sending. The server checks the same rules again. */
export const checkSignUp = (values: SignUp, t: Translate): SignUpErrors => {
  const errors: SignUpErrors = {}
  const username = typedKey(values.username)
  if (username.length < MIN_USERNAME || username.length > MAX_USERNAME) errors.username = t('member.username_length')
  else if (!/^[A-Za-z0-9_.-]+$/.test(username)) errors.username = t('member.username_letters')
  if (values.password.length < MIN_PASSWORD || values.password.length > MAX_NEW_PASSWORD)
    errors.password = t('member.password_length')
  else if (!/^[A-Za-z0-9]+$/.test(values.password)) errors.password = t('member.password_letters')
  if (values.password !== values.password_confirmation) errors.password_confirmation = t('account.passwords_differ')
  return errors
}
