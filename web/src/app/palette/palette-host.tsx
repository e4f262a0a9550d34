import { type ComponentProps, lazy, Suspense, useLayoutEffect, useState } from 'react'
import type { Choice } from '../../ui/palette-source.ts'
import { isMac } from '../../ui/keyboard/is-mac.ts'
import { closePalette, openPalette, usePalette } from '../../ui/palette-state.ts'
import { loadPaletteSources } from './sources.ts'

const Palette = lazy(async () => {
  const [part, sources] = await Promise.all([import('./palette.tsx'), loadPaletteSources()])
  return {
    default: (props: Omit<ComponentProps<typeof part.Palette>, 'sources'>) => (
      <part.Palette sources={sources} {...props} />
    ),
  }
})

/** Opens the palette on Ctrl+K (Cmd+K on a Mac) on every page; its script is loaded with the first opening. */
export const PaletteHost = () => {
  const open = usePalette()
  const [opened, setOpened] = useState<Choice['opens']>()
  // It is there with the first picture of the page: a moment later a key that was pressed at once would be lost.
  useLayoutEffect(() => {
    const byKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey } = event
      if (event.code !== 'KeyK' || shiftKey || altKey) return
      if (isMac ? !metaKey || ctrlKey : !ctrlKey || metaKey) return
      // Some browsers focus the address bar on this key.
      event.preventDefault()
      // Not over an open dialog.
      if (!document.querySelector('[role="dialog"], dialog[open]')) openPalette()
    }
    window.addEventListener('keydown', byKey)
    return () => window.removeEventListener('keydown', byKey)
  }, [])
  return (
    <>
      <Suspense>
        {open > 0 && <Palette key={open} onOpen={(part) => setOpened(() => part)} onClose={() => closePalette(open)} />}
      </Suspense>
      <Suspense>{opened?.(() => setOpened(undefined))}</Suspense>
    </>
  )
}
