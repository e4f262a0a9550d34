import { useSyncExternalStore } from 'react'

/** Number of the current opening; 0 while the palette is closed. */
let open = 0
let last = 0
const listeners = new Set<() => void>()

const set = (to: number) => {
  open = to
  for (const listener of listeners) listener()
}
export const openPalette = () => set(++last)
/** The `close` event is late: without the number it would close a palette that was opened again meanwhile. */
export const closePalette = (which: number) => {
  if (which === open) set(0)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const usePalette = () => useSyncExternalStore(subscribe, () => open)
