import type { Answer, Input } from '@tallyroom/contract'
import { call, refusedBy } from './call.ts'

type SignIn = Pick<Input<'login'>, 'face' | 'auth_done'> & { username: string; password: string }

/**
 * Signs in and replaces the password that was given to the account. If an earlier try succeeded but its answer was
 * lost, the given password is no longer valid and the chosen one is.
 */
export const signInChoosing = async (input: SignIn, chosen: string): Promise<Answer<'login'>> => {
  try {
    return await call('login', { ...input, new_password: chosen, new_password_confirmation: chosen })
  } catch (error) {
    if (!refusedBy('login', error, 'session.wrong_login')) throw error
    return call('login', { ...input, password: chosen })
  }
}

/** Same rule as NewPassword of the contract, without loading Zod. */
export const isNewPassword = (text: string) => /^[A-Za-z0-9]{4,15}$/.test(text)
