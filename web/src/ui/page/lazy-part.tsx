import { lazyRouteComponent } from '@tanstack/react-router'
import { type FunctionComponent, lazy, useEffect } from 'react'
import { loadAntdSheet } from '../../theme/antd-sheet.ts'
import { language } from '../../i18n/i18n.ts'
import { onceIdle } from '../../lib/schedule.ts'

/**
 * Loads the component library with its style sheet and texts. It is most of the script, so pages that can do without it
 * must not import it.
 */
const loadParts = async () => {
  const [{ Library }] = await Promise.all([
    import('../library.tsx'),
    loadAntdSheet(),
    // Without its texts the pickers are in English, which is better than no page.
    import('../../i18n/languages.ts').then(({ loadAntdLocale }) => loadAntdLocale(language())).catch(() => undefined),
  ])
  return Library
}
let library: ReturnType<typeof loadParts> | undefined
const loadLibrary = () => {
  library ??= loadParts().catch((error: unknown) => {
    // Let the next caller try again.
    library = undefined
    throw error
  })
  return library
}

/** Any component; its own type is kept, so that a generic one stays so. */
type AnyPart = (props: never) => ReturnType<FunctionComponent>

const inLibrary = async (load: () => Promise<AnyPart>) => {
  const [loaded, Library] = await Promise.all([load(), loadLibrary()])
  const Part = loaded as FunctionComponent
  return {
    default: (props: object) => (
      <Library>
        <Part {...props} />
      </Library>
    ),
  }
}

/** A component that uses the component library, loaded when it is first rendered, or by `preload`. */
export const lazyPart = <C extends AnyPart>(load: () => Promise<C>): C & { preload: () => void } => {
  const preload = () => void Promise.all([load(), loadLibrary()]).catch(() => undefined)
  return Object.assign(lazy(() => inLibrary(load)) as unknown as C, { preload })
}

/** A page that uses the component library. */
export const libraryPage = (load: () => Promise<FunctionComponent>) => lazyRouteComponent(() => inLibrary(load))

const ACTIVITY = ['pointermove', 'pointerdown', 'keydown'] as const

/** Preloads a part that is opened later: after the user's first movement or key, once the browser is idle. */
export const usePreload = (load: () => void, wanted = true) =>
  useEffect(() => {
    if (!wanted) return
    const onActivity = () => {
      stop()
      onceIdle(load)
    }
    const stop = () => {
      for (const name of ACTIVITY) window.removeEventListener(name, onActivity)
    }
    for (const name of ACTIVITY) window.addEventListener(name, onActivity, { passive: true })
    return stop
  }, [load, wanted])
