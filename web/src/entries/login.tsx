import '../lib/trusted-types.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startServiceWorker } from './service-worker.ts'
import { setFace } from '../lib/storage.ts'
import { withholdComposedKeys } from '../ui/keyboard/composed-keys.ts'
import { startTheme } from '../theme/theme.ts'
import { language, setLanguage, setLoaders } from '../i18n/i18n.ts'
import { takeReturnPath } from '../lib/handoff.ts'
import { SignInPage } from '../features/session/sign-in.tsx'
import { sessionWords } from '../features/session/words.ts'
import '../theme/tokens.css'
import '../theme/accents.css'
import '../theme/base.css'
import '../theme/controls.css'
import '../theme/forced-colours.css'

withholdComposedKeys()
setFace('office')
startTheme()
setLoaders(sessionWords)
// Where a service worker is allowed, it fetches the office's files while the user types.
startServiceWorker('/')

/** Fetches them where no service worker is allowed (plain http). */
const fetchOffice = async () => {
  const page = await (await fetch('/index')).text()
  for (const [, script] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'prefetch', as: 'script', href: script })
    document.head.append(link)
  }
}

/**
 * The office is another page. The promise never resolves, so that the button shows progress until that page has loaded.
 */
const enter = (startPage: string) => {
  window.location.replace(takeReturnPath(startPage))
  return new Promise<never>(() => {})
}

const start = async () => {
  // AUTH-03: once, with a trailing hash.
  if (!window.location.href.includes('#')) {
    window.location.replace('/login#')
    return window.location.reload()
  }
  await setLanguage(language())
  const box = document.getElementById('root')
  if (!box) return
  createRoot(box).render(
    <StrictMode>
      <SignInPage onEnter={enter} />
    </StrictMode>,
  )
  // A script that fails here is loaded with the office.
  if (!('serviceWorker' in navigator)) await fetchOffice().catch(() => {})
}
void start()
