import { Role } from '@tallyroom/contract/codes'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { mount } from '../../lib/mount.tsx'
import { setStored, setFace } from '../../lib/storage.ts'
import { Mark } from '../../ui/mark.tsx'
import { language, setLanguage, setLoaders, useWords, t as words } from '../../i18n/i18n.ts'
import type { Token } from './landing.ts'
import { keepProfile } from './profile.ts'
import { Refused } from './second-step.tsx'
import { wordsOf } from './second-step-state.ts'
import { sessionWords } from './words.ts'
import './sign-in.css'

/** AUTH-09: how long the landing of a token shows itself. */
const DELAY = 1000

/** Signs in with the token, once, and loads the page it leads to unless that is another one. @throws in words that can be shown */
const land = async ({ kind, token, who }: Token, load: () => Promise<unknown>): Promise<'office' | 'member'> => {
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
    if (profile.role_id !== Role.member) {
      keepProfile(profile)
      await load()
      return 'office'
    }
    setFace('member')
    setStored('user_token', profile.token)
    setStored('user_id', String(profile.id))
    return 'member'
  } catch (error) {
    throw new Error(wordsOf(error))
  }
}

/** AUTH-09, AUTH-10. `landed` goes on outside of the page: a token is good for one call only. */
const LandingPage = ({ landed }: { landed: Promise<unknown> }) => {
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

/** AUTH-09, AUTH-10: signs in by the token of the address, and shows what it leads to. */
export const showLanding = async (token: Token, loadOffice: () => Promise<() => ReactNode>) => {
  setLoaders(sessionWords)
  await setLanguage(language())
  const landed = land(token, loadOffice)
  mount(<LandingPage landed={landed} />)
  // A refusal is shown by the page.
  const face = await landed.catch(() => undefined)
  if (face === 'member') return window.location.replace('/m')
  if (face !== 'office') return
  const Office = await loadOffice()
  window.history.replaceState(null, '', '/index')
  mount(<Office />)
}
