import { lazy, Suspense, useEffect } from 'react'
import { isMac } from '../../ui/is-mac.ts'
import { closePalette, openPalette, usePalette } from '../../ui/palette-state.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** On every page of the back office: the key that opens the palette, and the palette once it is asked for. */
export const PaletteHost = () => {
  const open = usePalette()
  useEffect(() => {
    const byKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey } = event
      if (event.code !== 'KeyK' || shiftKey || altKey || event.isComposing) return
      if (isMac ? !metaKey || ctrlKey : !ctrlKey || metaKey) return
      // The browser has a use of its own for it.
      event.preventDefault()
      // Not over something that is in front already.
      if (!document.querySelector('[role="dialog"], dialog[open]')) openPalette()
    }
    window.addEventListener('keydown', byKey)
    return () => window.removeEventListener('keydown', byKey)
  }, [])
  return <Suspense>{open > 0 && <Palette key={open} onClose={() => closePalette(open)} />}</Suspense>
}
