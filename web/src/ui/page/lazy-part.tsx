import { type FunctionComponent, lazy, useEffect } from 'react'
import { onceIdle } from '../../lib/schedule.ts'

/** Any component; its own type is kept, so that a generic one stays so. */
type AnyPart = (props: never) => ReturnType<FunctionComponent>

/** A component that is loaded when it is first rendered, or by `preload`. */
export const lazyPart = <C extends AnyPart>(load: () => Promise<C>): C & { preload: () => void } => {
  const Part = lazy(async () => {
    const loaded: AnyPart = await load()
    return { default: loaded as FunctionComponent }
  })
  return Object.assign(Part as unknown as C, { preload: () => void load().catch(() => undefined) })
}

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
