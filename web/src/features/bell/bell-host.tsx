import { Suspense, useEffect } from 'react'
import { closeBell, openBell, useBellOpen } from '../../chat/view/bell-state.ts'
import { loadAdminWords } from '../../i18n/admin-words.ts'
import { isMac } from '../../ui/keyboard/is-mac.ts'
import { isTyping } from '../../ui/keyboard/keys-asked.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { BELL_KEY } from '../../chat/view/bell-button.tsx'

const BellDrawer = lazyPart(async () => {
  const [part] = await Promise.all([import('./bell-drawer.tsx'), loadAdminWords()])
  return part.BellDrawer
})

/** The bell, over every page of the office, and its key. */
export const BellHost = () => {
  const isOpen = useBellOpen()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, metaKey, shiftKey, code } = event
      if (code !== BELL_KEY.code || !altKey || ctrlKey || metaKey || shiftKey || event.getModifierState('AltGraph'))
        return
      // On a Mac it types a letter.
      if (event.defaultPrevented || (isMac && isTyping(event.target))) return
      event.preventDefault()
      if (!document.querySelector('[role="dialog"], dialog[open]')) openBell()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return <Suspense>{isOpen && <BellDrawer onClose={closeBell} />}</Suspense>
}
