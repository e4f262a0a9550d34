import '../lib/trusted-types.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { unlockSound } from '../chat/model/sound.ts'
import { startServiceWorker } from './service-worker.ts'
import { setFace } from '../lib/storage.ts'
import { withholdComposedKeys } from '../ui/keyboard/composed-keys.ts'
import { startTheme } from '../theme/theme.ts'
import { startTime } from '../i18n/time.ts'
import { beginIn, language, setLanguage, setLoaders } from '../i18n/i18n.ts'
import '../theme/tokens.css'
import '../theme/base.css'
import '../theme/controls.css'
import '../theme/forced-colours.css'
import '../chat/view/chat.css'
import '../chat/view/messages/messages.css'
import '../chat/view/room-theme.css'
import '../member/member.css'
import { App } from '../member/app.tsx'
import { languageOf } from '@tallyroom/locales'
import { startCloseOnBack } from '../ui/overlay/close-on-back.ts'
import { currentSession, resume, setSite } from '../member/session.ts'
import { loaders } from '../member/words.ts'

withholdComposedKeys()
setFace('member')
setLoaders(loaders)
// A member may not know enough English to find the menu of languages.
beginIn(languageOf(navigator.languages.join()))
startTheme()
startServiceWorker('/m')
resume()
unlockSound()
if (window.parent !== window)
  void import('../member/embedding.ts').then(
    ({ listenToHost }) => listenToHost(),
    () => currentSession().site && setSite('failed'),
  )
startCloseOnBack()

const start = async () => {
  // Without the platform's time zone, times are shown in UTC: better than no page.
  await Promise.all([setLanguage(language()), startTime().catch(() => {})])
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
void start()
