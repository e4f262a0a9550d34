import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { LandingPage, land, takeLanding } from './features/session/landing.tsx'
import { leavePlace, takePlace } from './features/session/passing.ts'
import { SignInPage } from './features/session/sign-in.tsx'
import { sessionWords } from './features/session/words.ts'
import { officeWords } from './office-words.ts'
import { startServiceWorker } from './service-worker.ts'
import { kept, setFace } from './store.ts'
import { keepPlace } from './theme/antd-sheet.ts'
import { startLook } from './theme/look.ts'
import { language, speak, speakFrom } from './words.ts'
import './theme/tokens.css'
import './theme/accents.css'
import './theme/base.css'
import './theme/controls.css'

const landing = takeLanding()
setFace('office')
startLook()
startServiceWorker('/')
keepPlace()

/** In slices, so that what comes meanwhile is not kept waiting. */
const draw = (root: Root, page: ReactNode) => startTransition(() => root.render(<StrictMode>{page}</StrictMode>))

/** The back office comes only when there is a session, and all words with it: the way in is light. */
const loadOffice = async () => {
  speakFrom(officeWords)
  const [{ Office }] = await Promise.all([import('./office.tsx'), speak(language())])
  return <Office />
}

/** AUTH-09, AUTH-10: signs in by the token of the address. */
const showLanding = async (root: Root, token: NonNullable<typeof landing>) => {
  await speak(language())
  const landed = land(token, loadOffice)
  draw(root, <LandingPage landed={landed} />)
  // A refusal is shown by the page.
  const face = await landed.catch(() => undefined)
  if (face === 'member') return window.location.replace('/m')
  if (face !== 'office') return
  const office = await loadOffice()
  window.history.replaceState(null, '', '/index')
  draw(root, office)
}

const start = async () => {
  const box = document.getElementById('root')
  if (!box) return
  const root = createRoot(box)
  speakFrom(sessionWords)
  if (landing) return showLanding(root, landing)
  const signIn = window.location.pathname === '/login'
  // GUARD-01
  if (!signIn && !kept('user_token')) {
    leavePlace()
    window.history.replaceState(null, '', '/login')
  }
  if (window.location.pathname !== '/login') return draw(root, await loadOffice())
  // AUTH-03: once, with a trailing hash.
  if (!window.location.href.includes('#')) {
    window.location.replace('/login#')
    return window.location.reload()
  }
  await speak(language())
  draw(
    root,
    <SignInPage
      onEnter={async () => {
        // Loaded first: if that fails, the sign-in page says so and stays.
        const office = await loadOffice()
        window.history.replaceState(null, '', takePlace())
        draw(root, office)
      }}
    />,
  )
}
void start()
