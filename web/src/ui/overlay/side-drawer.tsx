import type { ReactNode } from 'react'
import { useMedia } from '../use-media.ts'
import { useCloseOnBack } from './close-on-back.ts'
import { Drawer } from './drawer.tsx'

type Props = {
  title: ReactNode
  /** Its height on a phone, where it comes from below; by its content if there is none. */
  phone?: string
  footer?: ReactNode
  /** Whether the address says that it is open (`useOpened`): then the browser's "back" closes it by itself. */
  isInAddress?: boolean
  onClose: () => void
  children: ReactNode
}

/** The details of one row, beside the list. */
export const SideDrawer = ({ title, phone, footer, isInAddress = false, onClose, children }: Props) => {
  const small = useMedia('(max-width: 767px)')
  useCloseOnBack(!isInAddress, onClose)
  return (
    <Drawer
      placement={small ? 'bottom' : 'right'}
      {...(small && phone ? { height: phone } : {})}
      className="sheet"
      // Beside the list another row can be opened without closing this one.
      mask={small}
      onClose={onClose}
      title={title}
      footer={footer}
    >
      {children}
    </Drawer>
  )
}
