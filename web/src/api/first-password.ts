import type { Answer, Input } from '@tallyroom/contract'
import { call, refusedBy } from './call.ts'

type SignIn = Pick<Input<'login'>, 'face' | 'auth_done'> & { username: string; password: string }

/**
 * Signs in with a password that the account chooses itself. When an earlier try has taken it and its answer was lost, the
 * password that was given is over, and the chosen one is right.
 */
export const signInChoosing = async (input: SignIn, chosen: string): Promise<Answer<'login'>> => {
  try {
    return await call('login', { ...input, new_password: chosen, new_password_confirmation: chosen })
  } catch (error) {
    if (!refusedBy('login', error, 'session.wrong_login')) throw error
    return call('login', { ...input, password: chosen })
  }
}

/** NewPassword of the contract, without its library. */
export const isNewPassword = (text: string) => /^[A-Za-z0-9]{4,15}$/.test(text)
