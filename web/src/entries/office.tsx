import '../lib/trusted-types.ts'
import { takeLanding } from '../features/session/landing.ts'
import { saveReturnPath } from '../lib/handoff.ts'
import { officeWords } from '../app/office-words.ts'
import { firstCalls } from '../api/first-calls.ts'
import { preloadPage } from './preload-page.ts'
import { startServiceWorker } from './service-worker.ts'
import { getStored, setFace } from '../lib/storage.ts'
import { withholdComposedKeys } from '../ui/keyboard/composed-keys.ts'
import { startTime } from '../i18n/time.ts'
import { startTheme } from '../theme/theme.ts'
import { language, setLanguage, setLoaders } from '../i18n/i18n.ts'
import '../theme/tokens.css'
import '../theme/accents.css'
import '../theme/base.css'
import '../theme/controls.css'
import '../theme/forced-colours.css'

// Keep this script small: it runs before React and the office, which index.html asks for (`officeAhead` in ../../bundle.ts).
const landing = takeLanding()
withholdComposedKeys()
setFace('office')
startTheme()
// The service worker fetches the scripts of all pages: start it after this page has loaded.
startServiceWorker('/', 6000)

/** Imports one script after the other. Imported together, both run in one long task that blocks keys and clicks. */
const importInOrder = async () => {
  await import('../lib/mount.tsx')
  return import('../app/office.tsx')
}

/** Loads the back office and the texts of the language. Only with a session. */
const loadOffice = async () => {
  setLoaders(officeWords)
  const [office] = await Promise.all([
    importInOrder(),
    setLanguage(language()),
    // The first page reckons its days from the server's time and zone. Without them it shows that there is no answer.
    startTime().catch(() => undefined),
  ])
  return office
}

/** How long (ms) the page may be empty while the server decides whether it may be shown. */
const PATIENCE_MS = 300

const start = async () => {
  const path = window.location.pathname.replace(/^\/$/, '/index')
  // GUARD-01
  if (!landing && !getStored('user_token')) {
    saveReturnPath()
    return window.location.replace('/login')
  }
  void import('../api/call.ts').then(({ prepare, sendEarly }) => {
    void prepare()
    if (!landing) for (const [name, input] of firstCalls(path, window.location.search)) sendEarly(name, input)
  })
  preloadPage(path)
  if (landing)
    return (await import('../features/session/landing-page.tsx')).showLanding(
      landing,
      async () => (await loadOffice()).Office,
    )
  const [{ mount }, { Office, preparePage }] = await Promise.all([import('../lib/mount.tsx'), loadOffice()])
  await Promise.race([preparePage(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  mount(<Office />)
}
void start()
