import { useSyncExternalStore } from 'react'

let open = false
const listeners = new Set<() => void>()

/** Whether the palette is there; its button and its key are in different places. */
export const setPalette = (to: boolean) => {
  open = to
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const usePalette = () => useSyncExternalStore(subscribe, () => open)
