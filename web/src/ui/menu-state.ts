import { makeSharedValue } from '../lib/shared-value.ts'

const isOpen = makeSharedValue(false)

/** Opens the menu of the back office over a small screen, from any page (app/shell/menu-host.tsx). */
export const openMenu = () => isOpen.set(true)
export const closeMenu = () => isOpen.set(false)
export const useMenuOpen = isOpen.use
