import { useSyncExternalStore } from 'react'

/** Which opening it is that shows, by its number; 0 is none. */
let open = 0
let last = 0
const listeners = new Set<() => void>()

const set = (to: number) => {
  open = to
  for (const listener of listeners) listener()
}
/** Its button and its key are in different places. */
export const openPalette = () => set(++last)
/** The browser tells of a closing a little later: by then it may have been opened again. */
export const closePalette = (which: number) => {
  if (which === open) set(0)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const usePalette = () => useSyncExternalStore(subscribe, () => open)
