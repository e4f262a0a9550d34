import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { leavePlace, takePlace } from './features/session/passing.ts'
import { SignInPage } from './features/session/sign-in.tsx'
import { kept, setFace } from './store.ts'
import { startLook } from './theme/look.ts'
import { language, speak } from './words.ts'
import './theme/tokens.css'
import './theme/base.css'
import './theme/controls.css'

setFace('office')
startLook()

/** The back office comes only when there is a session: the sign-in page is light. */
const openOffice = async (root: Root) => {
  const { Office } = await import('./office.tsx')
  root.render(
    <StrictMode>
      <Office />
    </StrictMode>,
  )
}

const start = async () => {
  const box = document.getElementById('root')
  if (!box) return
  const root = createRoot(box)
  const signIn = window.location.pathname === '/login'
  // GUARD-01
  if (!signIn && !kept('user_token')) {
    leavePlace()
    window.history.replaceState(null, '', '/login')
  }
  await speak(language())
  if (window.location.pathname !== '/login') return openOffice(root)
  // AUTH-03: once, with a trailing hash.
  if (!window.location.href.includes('#')) {
    window.location.replace('/login#')
    return window.location.reload()
  }
  root.render(
    <StrictMode>
      <SignInPage
        onEnter={async () => {
          // Loaded first: if that fails, the sign-in page says so and stays.
          await import('./office.tsx')
          window.history.replaceState(null, '', takePlace())
          await openOffice(root)
        }}
      />
    </StrictMode>,
  )
}
void start()
