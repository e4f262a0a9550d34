import { useLocation } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useThemeSettings } from '../../theme/use-theme.ts'
import { closeMenu, useMenuOpen } from '../../ui/menu-state.ts'
import { lazyPart, usePreload } from '../../ui/page/lazy-part.tsx'
import { useMedia } from '../../ui/use-media.ts'

const SideDrawer = lazyPart(async () => (await import('./side-drawer.tsx')).SideDrawer)

/** Below this width the menu is a drawer. */
export const NARROW = '(max-width: 1023px)'

/** The menu over a small screen, on every page. */
export const MenuHost = () => {
  const isOpen = useMenuOpen()
  const narrow = useMedia(NARROW)
  const { side } = useThemeSettings()
  const { pathname } = useLocation()
  usePreload(SideDrawer.preload, narrow)
  // A page that was chosen in it is shown without it.
  useEffect(closeMenu, [pathname])
  return <Suspense>{isOpen && narrow && <SideDrawer side={side} onClose={closeMenu} />}</Suspense>
}
