import { lazy, Suspense, useEffect, useState } from 'react'
import { useWords } from '../i18n/i18n.ts'
import { useSession } from './session.ts'

const loadTalk = () => import('./chat-page.tsx')
const TalkPage = lazy(async () => ({ default: (await loadTalk()).TalkPage }))
const SignInPage = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignInPage }))
const SignUpPage = lazy(async () => ({ default: (await import('./sign-up.tsx')).SignUpPage }))

/** The share code of an invitation: /Signup/{code}, or ?code= where the platform's own site leads here. */
const shareCodeOf = (place: Location) => {
  const inPath = /^\/Signup\/([^/]+)/i.exec(place.pathname)?.[1]
  return inPath ? decodeURIComponent(inPath) : (new URLSearchParams(place.search).get('code') ?? '')
}

export const App = () => {
  const { t } = useWords()
  const { accountId } = useSession()
  const [shareCode] = useState(() => shareCodeOf(window.location))
  const [invited, setInvited] = useState(shareCode !== '')

  useEffect(() => {
    // Loaded while one types, and not before: coming in is then at once, and the first page stays light.
    const typing = () => void loadTalk().catch(() => {})
    if (!accountId) document.addEventListener('input', typing, { once: true })
    // The invitation has done its work: a reload is for the talk, and who is signed out signs in.
    if (accountId) {
      setInvited(false)
      if (window.location.pathname !== '/m') window.history.replaceState(null, '', '/m')
    }
    return () => document.removeEventListener('input', typing)
  }, [accountId])

  return (
    <Suspense
      fallback={
        <p className="m-loading" role="status">
          {t('chat.loading')}
        </p>
      }
    >
      {accountId ? (
        <TalkPage key={accountId} accountId={accountId} />
      ) : invited ? (
        <SignUpPage shareCode={shareCode} onSignIn={() => setInvited(false)} />
      ) : (
        <SignInPage {...(shareCode ? { onSignUp: () => setInvited(true) } : {})} />
      )}
    </Suspense>
  )
}
