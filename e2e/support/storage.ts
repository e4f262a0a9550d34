import { randomUUID } from 'node:crypto'
import type { BrowserContextOptions } from '@playwright/test'
import { type Answer, type Input, OK } from '@tallyroom/contract'
import { seal } from '@tallyroom/contract/wire'
import type { Reply } from './client.ts'

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>
type Cookie = StorageState['cookies'][number]
type Face = 'office' | 'member'

const cookieOf = (line: string): Cookie => {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  const lifetime = Number(attributes.find((text) => text.startsWith('Max-Age='))?.slice(8) ?? 0)
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    domain: 'localhost',
    path: attributes.find((text) => text.startsWith('Path='))?.slice(5) ?? '/',
    expires: Math.floor(Date.now() / 1000) + lifetime,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict',
  }
}

/** Makes a call as a page does: with a session that needs the cookie set beside it. */
const authenticate = async <N extends 'login' | 'member/signup'>(url: string, name: N, input: Input<N>, face: Face) => {
  const reply = await fetch(`${url}/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-bound-session': face },
    body: JSON.stringify(seal(name, input, 'tallyroom')),
  })
  const { code, message, data } = (await reply.json()) as Reply
  if (code !== OK) throw new Error(`${name} was refused: ${code} ${message}`)
  return { profile: data as Answer<N>, cookies: reply.headers.getSetCookie().map(cookieOf) }
}

const stateOf = (origin: string, cookies: Cookie[], stored: Record<string, string>): StorageState => ({
  cookies,
  origins: [{ origin, localStorage: Object.entries(stored).map(([name, value]) => ({ name, value })) }],
})

/** `origin` is the address at which the browser sees the server; `stored` is kept beside the session. */
type Target = { url: string; origin?: string; stored?: Record<string, string> }

/** The storage of a browser right after an account of the back office signed in. */
export const officeState = async (
  { url, origin = url, stored = {} }: Target,
  username: string,
  password: string,
): Promise<StorageState> => {
  const { profile, cookies } = await authenticate(url, 'login', { username, password, face: 'office' }, 'office')
  return stateOf(origin, cookies, {
    locale: 'en',
    user_token: profile.token,
    user_id: String(profile.id),
    user_nickname: profile.nickname || profile.username,
    role_id: String(profile.role_id),
    share_code: profile.share_code,
    ...stored,
  })
}

const memberState = (
  { origin = '' }: Target,
  { profile, cookies }: { profile: { token: string; id: number }; cookies: Cookie[] },
) => stateOf(origin, cookies, { locale: 'en', m_user_token: profile.token, m_user_id: String(profile.id) })

/** The same for a member. */
export const memberSignedIn = async (target: Target, username: string, password: string): Promise<StorageState> =>
  memberState(target, await authenticate(target.url, 'login', { username, password, face: 'member' }, 'member'))

/** The same for a new member below the owner of the share code. */
export const memberSignedUp = async (
  target: Target,
  share_code: string,
  username: string,
  password: string,
): Promise<StorageState> => {
  const who = { share_code, username, password, password_confirmation: password, request_id: randomUUID() }
  return memberState(target, await authenticate(target.url, 'member/signup', who, 'member'))
}
