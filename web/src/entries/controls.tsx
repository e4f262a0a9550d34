import '../lib/trusted-types.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { officeWords } from '../app/office-words.ts'
import { language, setLanguage, setLoaders } from '../i18n/i18n.ts'
import { startTheme } from '../theme/theme.ts'
import { withholdComposedKeys } from '../ui/keyboard/composed-keys.ts'
import '../theme/tokens.css'
import '../theme/accents.css'
import '../theme/base.css'
import '../theme/controls.css'
import '../theme/forced-colours.css'
import '../ui/ui.css'
import '../ui/overlay/dialog.css'
import '../ui/overlay/menu.css'
import '../ui/pages.css'
import { ControlsPage } from './controls-page.tsx'

withholdComposedKeys()
startTheme()
setLoaders(officeWords)

const start = async () => {
  await setLanguage(language())
  const { default: words } = await officeWords[language()]()
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <ControlsPage words={words} />
    </StrictMode>,
  )
}
void start()
