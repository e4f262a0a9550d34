import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

const set = (to: boolean) => {
  isOpen = to
  for (const listener of listeners) listener()
}
/** Opens the menu of the back office over a small screen, from any page (app/shell/menu-host.tsx). */
export const openMenu = () => set(true)
export const closeMenu = () => set(false)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useMenuOpen = () => useSyncExternalStore(subscribe, () => isOpen)
