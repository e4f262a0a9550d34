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
type Session = {
  accountId?: string
  me?: Answer<'user/view'>
  ended?: string | undefined
  /** API-13: how far the page around has signed its member in; undefined where it does not do that. */
  site?: 'waits' | 'in' | 'signed_out' | 'failed' | 'ended' | 'left' | undefined
}
let session: Session = {}
const listeners = new Set<() => void>()
const setSession = (next: Session) => {
  session = { site: session.site, ...next }
  for (const listener of listeners) listener()
}
export const onSession = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const currentSession = () => session
export const useSession = () => useSyncExternalStore(onSession, currentSession)

export const setSite = (site: Session['site']) => setSession({ ...session, site })

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

let unread = 0
let tellUnread: ((count: number) => void) | undefined
/** The number of unread messages, for the page around (embedding.ts). */
export const setUnread = (count: number) => {
  unread = count
  tellUnread?.(count)
}
export const setUnreadListener = (listener: (count: number) => void) => {
  tellUnread = listener
  listener(unread)
}

const end = (forgetTyped: boolean, ended?: string) => {
  leave(forgetTyped)
  clearStored()
  const { site } = session
  // While the page around brings another member, nothing of this one is said.
  setSession({ ended, site: !site || site === 'waits' ? site : ended ? 'ended' : 'left' })
}

/** Resumes the session of an earlier visit. */
export const resume = () => {
  setSessionEndHandler(() => {
    if (session.accountId) end(false, t('session.dead'))
  })
  const accountId = getStored('user_id')
  if (getStored('user_token') && accountId) setSession({ accountId })
  // server/widget/widget.js names the frame so. Until its page has said who is signed in on it, nothing is shown.
  if (window.parent !== window && window.name === 'tallyroom-sign-in') setSite('waits')
}

const enter = (profile: Answer<'login'>) => {
  setStored('user_token', profile.token)
  setStored('user_id', String(profile.id))
  setSession({ accountId: String(profile.id) })
}
export const signIn = async (input: { username: string; password: string }) =>
  enter(await call('login', { ...input, face: 'member' }))
/** @returns the account that is signed in now */
export const signInByToken = async (widget_token: string): Promise<string> => {
  const profile = await call('login', { widget_token, face: 'member' })
  enter(profile)
  return String(profile.id)
}
export const enterWithPasskey = async () => enter(await signInWithPasskey('member'))
export const signInWithNew = async (input: { username: string; password: string }, chosen: string) =>
  enter(await signInChoosing({ ...input, face: 'member' }, chosen))
export const signUp = async (input: Input<'member/signup'>) => enter(await call('member/signup', input))

export const signOut = async () => {
  await call('logout', {}).catch(() => {})
  end(true)
}
