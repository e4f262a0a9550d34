import { typedShareCode } from '@tallyroom/contract/text/typed-key'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useWords } from '../i18n/i18n.ts'
import { storedLook } from './look.ts'
import { setSite, useSession } from './session.ts'

const loadChat = () => import('./chat-page.tsx')
const ChatPage = lazy(async () => ({ default: (await loadChat()).ChatPage }))
const SignInPage = lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignInPage }))
const SignUpPage = lazy(async () => ({ default: (await import('./sign-in/sign-up.tsx')).SignUpPage }))

/** The share code of an invitation: /Signup/{code}, or ?code= where the platform's own site leads here. */
const shareCodeOf = (location: Location) => {
  const inPath = /^\/Signup\/([^/]+)/i.exec(location.pathname)?.[1]
  return typedShareCode(inPath ? decodeURIComponent(inPath) : (new URLSearchParams(location.search).get('code') ?? ''))
}

export const App = () => {
  const { t } = useWords()
  const { accountId, site } = useSession()
  const [shareCode] = useState(() => shareCodeOf(window.location))
  const [invited, setInvited] = useState(shareCode !== '')
  // The account in whose session an invitation was opened. The invitation with which its member came is no news.
  const [invitedAs] = useState(() => (shareCode && storedLook()?.code !== shareCode ? accountId : undefined))

  useEffect(() => {
    // Prefetched while the user types: signing in is fast, and the first page stays small.
    const typing = () => void loadChat().catch(() => {})
    if (!accountId) document.addEventListener('input', typing, { once: true })
    // The invitation is used: after this a reload opens the chat, and a signed-out member signs in.
    if (accountId) {
      setInvited(false)
      if (window.location.pathname !== '/m') window.history.replaceState(null, '', '/m')
    }
    return () => document.removeEventListener('input', typing)
  }, [accountId])

  const loading = (
    <p className="m-loading" role="status">
      {t('chat.loading')}
    </p>
  )
  if (site === 'waits') return loading
  // A visitor of a site that invites may be new; a member of one that does not has no password to type.
  const isBySite = site && !(shareCode && site === 'signed_out')
  return (
    <Suspense fallback={loading}>
      {accountId ? (
        <ChatPage key={accountId} accountId={accountId} wasInvited={accountId === invitedAs} />
      ) : isBySite ? (
        <SignInPage isBySite {...(shareCode ? { onSignUp: () => setSite(undefined) } : {})} />
      ) : invited ? (
        <SignUpPage shareCode={shareCode} onSignIn={() => setInvited(false)} />
      ) : (
        <SignInPage {...(shareCode ? { onSignUp: () => setInvited(true) } : {})} />
      )}
    </Suspense>
  )
}
