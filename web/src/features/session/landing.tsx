import { useEffect, useState } from 'react'
import { call } from '../../call.ts'
import { keep, setFace } from '../../store.ts'
import { Mark } from '../../ui/mark.tsx'
import { useWords, t as words } from '../../words.ts'
import { keepProfile } from './profile.ts'
import { Refused } from './second-step.tsx'
import { wordsOf } from './waiting.ts'
import './sign-in.css'

/** AUTH-09: how long the landing of a token shows itself. */
const DELAY = 1000

type Token = { kind: 'agent' | 'landing'; token: string; who: string }
const agentPaths = new Set(['/agentlogin', '/autologin', '/auto-login'])

/**
 * The token in the address of a landing, which is taken out of the address and the history before anything else: it must
 * not be seen, sent on or opened again. It may stand behind a # as well. Undefined on every other page.
 */
export const takeLanding = (): Token | undefined => {
  const { pathname, search, hash } = window.location
  const [first = '', token = '', customer = ''] = pathname.split('/').slice(1)
  const agent = agentPaths.has(pathname.replace(/\/+$/, '').toLowerCase())
  if (!agent && first.toLowerCase() !== 'weblogin') return undefined
  const said = new URLSearchParams(search)
  const behind = new URLSearchParams(hash.replace(/^#\/?\??/, ''))
  const value = (name: string) => said.get(name) ?? behind.get(name) ?? ''
  window.history.replaceState(null, '', `/${first}`)
  if (agent) return { kind: 'agent', token: value('agentToken'), who: value('agentUsername') }
  return { kind: 'landing', token: token || value('token'), who: customer || value('customerID') }
}

/** Signs in with the token, once, and loads the page it leads to unless that is another one. @throws in words that can be shown */
export const land = async ({ kind, token, who }: Token, load: () => Promise<unknown>): Promise<'office' | 'member'> => {
  if (!token || !who) throw new Error(words('landing.incomplete'))
  try {
    if (kind === 'agent') {
      // AUTH-10: the token decides; a password is not known here.
      const dashes = { password: '-', auth_done: '-' }
      keepProfile(await call('login', { username: who, ...dashes, agent_token: token, agent_username: who }))
      await load()
      return 'office'
    }
    const shown = new Promise((resolve) => setTimeout(resolve, DELAY))
    const profile = await call('login', { landing_token: token })
    await shown
    if (profile.role_id !== 4) {
      keepProfile(profile)
      await load()
      return 'office'
    }
    setFace('member')
    keep('user_token', profile.token)
    keep('user_id', String(profile.id))
    return 'member'
  } catch (error) {
    throw new Error(wordsOf(error))
  }
}

/** AUTH-09, AUTH-10. `landed` goes on outside of the page: a token is good for one call only. */
export const LandingPage = ({ landed }: { landed: Promise<unknown> }) => {
  const { t } = useWords()
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    document.title = t('session.title')
  })
  useEffect(() => {
    landed.catch((error: unknown) => setFailed(error instanceof Error ? error.message : String(error)))
  }, [landed])
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Mark />
        <div className="landing">
          {failed === undefined ? (
            <p role="status">
              <span className="spinner" aria-hidden="true" /> {t('landing.loading')}
            </p>
          ) : (
            <Refused text={t('landing.error', { message: failed })} />
          )}
        </div>
      </div>
    </main>
  )
}
