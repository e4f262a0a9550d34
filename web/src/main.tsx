import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { LandingPage, land, takeLanding } from './features/session/landing.tsx'
import { leavePlace } from './features/session/passing.ts'
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

/** The back office comes only when there is a session, and all words with it. */
const loadOffice = async () => {
  speakFrom(officeWords)
  const [{ Office }] = await Promise.all([import('./office.tsx'), speak(language())])
  return <Office />
}

/** AUTH-09, AUTH-10: signs in by the token of the address. */
const showLanding = async (root: Root, token: NonNullable<typeof landing>) => {
  speakFrom(sessionWords)
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
  if (landing) return showLanding(root, landing)
  // GUARD-01
  if (!kept('user_token')) {
    leavePlace()
    return window.location.replace('/login')
  }
  draw(root, await loadOffice())
}
void start()
