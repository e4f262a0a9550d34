import { Drawer as LibraryDrawer, type DrawerProps } from 'antd'
import { useRef } from 'react'

/** Its motion keeps the focus in the drawer after it is closed: keys were lost, and a focus set meanwhile was taken away. */
const still = { motionName: '' }

/** A drawer that has the focus inside of its dialog, where a screen reader says its name, and not on the box around it. */
export const Drawer = ({ mask = true, afterOpenChange, ...props }: DrawerProps) => {
  const panel = useRef<HTMLDivElement>(null)
  const onChange = (isOpen: boolean) => {
    afterOpenChange?.(isOpen)
    const section = panel.current
    if (!isOpen || !section || section.contains(document.activeElement)) return
    section.tabIndex = -1
    section.focus({ preventScroll: true })
  }
  return (
    <LibraryDrawer
      {...props}
      panelRef={panel}
      autoFocus={false}
      motion={still}
      maskMotion={still}
      mask={mask}
      // Without a mask the page beside it can be used: a screen reader must not hide that page.
      aria-modal={mask !== false}
      afterOpenChange={onChange}
    />
  )
}
