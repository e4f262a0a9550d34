import '../lib/trusted-types.ts'
import { takeLanding } from '../features/session/landing.ts'
import { saveReturnPath } from '../lib/handoff.ts'
import { officeWords } from '../app/office-words.ts'
import { startServiceWorker } from './service-worker.ts'
import { getStored, setFace } from '../lib/storage.ts'
import { reserveSheetSlot } from '../theme/antd-sheet.ts'
import { startLook } from '../theme/look.ts'
import { language, setLanguage, setLoaders } from '../i18n/i18n.ts'
import '../theme/tokens.css'
import '../theme/accents.css'
import '../theme/base.css'
import '../theme/controls.css'

// Small, for it comes before React and the office do, which the page asks for by itself (`officeAhead` in ../vite.config.ts).
const landing = takeLanding()
setFace('office')
startLook()
// It fetches every page: not while this one is still coming.
startServiceWorker('/', 6000)
reserveSheetSlot()

/** Each in a task of its own: together they would keep the page from answering. */
const inTurn = async () => {
  await import('../lib/mount.tsx')
  return import('../app/office.tsx')
}

/** The back office comes only when there is a session, and all words with it. */
const loadOffice = async () => {
  setLoaders(officeWords)
  const [{ Office }] = await Promise.all([inTurn(), setLanguage(language())])
  return Office
}

const start = async () => {
  // GUARD-01
  if (!landing && !getStored('user_token')) {
    saveReturnPath()
    return window.location.replace('/login')
  }
  void import('../api/call.ts').then(({ prepare }) => prepare())
  if (landing) return (await import('../features/session/landing-page.tsx')).showLanding(landing, loadOffice)
  const [{ mount: draw }, Office] = await Promise.all([import('../lib/mount.tsx'), loadOffice()])
  draw(<Office />)
}
void start()
