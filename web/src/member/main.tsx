import '../trusted-types.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { hearGestures } from '../chat/sound.ts'
import { startServiceWorker } from '../service-worker.ts'
import { setFace } from '../store.ts'
import { startLook } from '../theme/look.ts'
import { startTime } from '../time.ts'
import { language, speak, speakFrom } from '../words.ts'
import '../theme/tokens.css'
import '../theme/base.css'
import '../theme/controls.css'
import '../chat/chat.css'
import '../chat/messages.css'
import '../chat/room-look.css'
import './member.css'
import { App } from './app.tsx'
import { hearAround } from './around.ts'
import { resume } from './session.ts'
import { loaders } from './words.ts'

setFace('member')
speakFrom(loaders)
startLook()
startServiceWorker('/m')
resume()
hearGestures()
hearAround()

const start = async () => {
  // Without the platform's time zone moments are in UTC: better than no page.
  await Promise.all([speak(language()), startTime().catch(() => {})])
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
void start()
