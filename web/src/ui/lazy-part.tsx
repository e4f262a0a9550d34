import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, lazy, useEffect } from 'react'
import { loadAntdSheet } from '../theme/antd-sheet.ts'
import { language } from '../i18n/i18n.ts'
import { whenIdle } from '../lib/schedule.ts'

/** The component library with its rules and words. It is most of the script, so no page begins with it that can do without. */
const ask = async () => {
  const [{ Library }] = await Promise.all([
    import('./library.tsx'),
    loadAntdSheet(),
    // Without its words the pickers speak English: a smaller harm than no page.
    import('../i18n/languages.ts').then(({ loadAntdLocale }) => loadAntdLocale(language())).catch(() => undefined),
  ])
  return Library
}
let asked: ReturnType<typeof ask> | undefined
const loadLibrary = () => {
  asked ??= ask().catch((error: unknown) => {
    // Another try is another asking.
    asked = undefined
    throw error
  })
  return asked
}

const inLibrary = async <P extends object>(load: () => Promise<ComponentType<P>>) => {
  const [Part, Library] = await Promise.all([load(), loadLibrary()])
  return {
    default: (props: P) => (
      <Library>
        <Part {...props} />
      </Library>
    ),
  }
}

/** A part that the component library draws, loaded when it is first shown, or by `preload`. */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  Object.assign(
    lazy(() => inLibrary(load)),
    {
      preload: () => void Promise.all([load(), loadLibrary()]).catch(() => undefined),
    },
  )

/** A page that the component library draws. */
export const libraryPage = (load: () => Promise<ComponentType>) => lazyRouteComponent(() => inLibrary(load))

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const

/** Loads a part that is opened later: after the first movement or key of the user, once the browser is idle. */
export const usePreload = (load: () => void, wanted = true) =>
  useEffect(() => {
    if (!wanted) return
    const seen = () => {
      stop()
      whenIdle(load)
    }
    const stop = () => {
      for (const sign of SIGNS) window.removeEventListener(sign, seen)
    }
    for (const sign of SIGNS) window.addEventListener(sign, seen, { passive: true })
    return stop
  }, [load, wanted])
