import type { Answer, Input } from '@tallyroom/contract'
import { useSyncExternalStore } from 'react'
import { call, setSessionEndHandler } from '../api/call.ts'
import { signInChoosing } from '../api/first-password.ts'
import { signInWithPasskey } from '../api/passkey.ts'
import { clearStored, setStored, getStored } from '../lib/storage.ts'
import { t } from '../i18n/i18n.ts'

/**
 * The signed-in member and the account's own data. It does not import the chat: sign-in and sign-up stay a small page, and
 * the rest is loaded while the user types.
 */
type Session = { accountId?: string; me?: Answer<'user/view'>; ended?: string }
let session: Session = {}
const listeners = new Set<() => void>()
const setSession = (next: Session) => {
  session = next
  for (const listener of listeners) listener()
}
export const useSession = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    () => session,
  )

/** Loads the account's own data: after sign-in, when the balance has changed, and after each reconnect. */
export const refreshMe = async (): Promise<void> => {
  const { accountId } = session
  try {
    const me = await call('user/view', {})
    if (accountId && session.accountId === accountId) setSession({ accountId, me })
  } catch {
    // Keep the shown data: an ended session is handled elsewhere, and the next connection loads it again.
  }
}

let leave: (forgetTyped: boolean) => void = () => {}
/**
 * Registers the clean-up for the end of the session. Drafts stay for the same account, unless the member signed out.
 */
export const setLeaveHandler = (handler: (forgetTyped: boolean) => void) => {
  leave = handler
}

const end = (forgetTyped: boolean, ended?: string) => {
  leave(forgetTyped)
  clearStored()
  setSession(ended ? { ended } : {})
}

/** Resumes the session of an earlier visit. */
export const resume = () => {
  setSessionEndHandler(() => {
    if (session.accountId) end(false, t('session.dead'))
  })
  const accountId = getStored('user_id')
  if (getStored('user_token') && accountId) setSession({ accountId })
}

const enter = (profile: Answer<'login'>) => {
  setStored('user_token', profile.token)
  setStored('user_id', String(profile.id))
  setSession({ accountId: String(profile.id) })
}
export const signIn = async (input: { username: string; password: string }) =>
  enter(await call('login', { ...input, face: 'member' }))
export const enterWithPasskey = async () => enter(await signInWithPasskey('member'))
export const signInWithNew = async (input: { username: string; password: string }, chosen: string) =>
  enter(await signInChoosing({ ...input, face: 'member' }, chosen))
export const signUp = async (input: Input<'member/signup'>) => enter(await call('member/signup', input))

export const signOut = async () => {
  await call('logout', {}).catch(() => {})
  end(true)
}
