import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { mount } from '../../lib/mount.tsx'
import { setStored, setFace } from '../../lib/storage.ts'
import { replaceAddress } from '../../adapters/router-history.ts'
import { Mark } from '../../ui/mark.tsx'
import { language, setLanguage, setLoaders, useWords, t as words } from '../../i18n/i18n.ts'
import type { Token } from './landing.ts'
import { storeProfile } from './profile.ts'
import { ErrorAlert } from './second-step.tsx'
import { messageOf } from './second-step-state.ts'
import { sessionWords } from './words.ts'
import './sign-in.css'

/** AUTH-09: minimum time (ms) that the landing page is shown. */
const DELAY = 1000

/**
 * Signs in with the token, once, and loads the back office unless the account is a member. @throws an Error with a
 * message for the user
 */
const signInByToken = async (
  { kind, token, who }: Token,
  load: () => Promise<unknown>,
): Promise<'office' | 'member'> => {
  if (!token || !who) throw new Error(words('landing.incomplete'))
  try {
    if (kind === 'agent') {
      // AUTH-10: the server checks only the token; the password is unknown here.
      const dashes = { password: '-', auth_done: '-' }
      storeProfile(await call('login', { username: who, ...dashes, agent_token: token, agent_username: who }))
      await load()
      return 'office'
    }
    const shown = new Promise((resolve) => setTimeout(resolve, DELAY))
    const profile = await call('login', { landing_token: token })
    await shown
    if (profile.start_page !== '/m') {
      storeProfile(profile)
      await load()
      return 'office'
    }
    setFace('member')
    setStored('user_token', profile.token)
    setStored('user_id', String(profile.id))
    return 'member'
  } catch (error) {
    throw new Error(messageOf(error))
  }
}

/**
 * AUTH-09, AUTH-10. `signedIn` is started outside the component, because a token is valid for one call and StrictMode
 * runs effects twice.
 */
const LandingPage = ({ signedIn }: { signedIn: Promise<unknown> }) => {
  const { t } = useWords()
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    document.title = t('session.title')
  })
  useEffect(() => {
    signedIn.catch((error: unknown) => setFailed(error instanceof Error ? error.message : String(error)))
  }, [signedIn])
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
            <ErrorAlert text={t('landing.error', { message: failed })} />
          )}
        </div>
      </div>
    </main>
  )
}

/** AUTH-09, AUTH-10: signs in with the token from the address and opens the page it leads to. */
export const showLanding = async (token: Token, loadOffice: () => Promise<() => ReactNode>) => {
  setLoaders(sessionWords)
  await setLanguage(language())
  const signedIn = signInByToken(token, loadOffice)
  mount(<LandingPage signedIn={signedIn} />)
  // The landing page shows the error.
  const face = await signedIn.catch(() => undefined)
  if (face === 'member') return window.location.replace('/m')
  if (face !== 'office') return
  const Office = await loadOffice()
  replaceAddress('/index')
  mount(<Office />)
}
