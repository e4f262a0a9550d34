import type { ReactNode } from 'react'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import './cash.css'

type Props = {
  title: string
  found: { error: Error | null; isPending: boolean }
  /** Why there is nothing to show: the entry is gone, or no longer the user's business. */
  missing: string | undefined
  footer: ReactNode
  onClose: () => void
  children: ReactNode
}

/** The frame of one entry of a queue: beside the list, on a phone from below. */
export const QueueDrawer = ({ title, found, missing, footer, onClose, children }: Props) => {
  const { t } = useWords()
  return (
    <SideDrawer size={{ wide: 420, phone: '92%' }} onClose={onClose} title={title} footer={footer}>
      {found.error && <Alert text={found.error.message} />}
      {found.isPending && <p role="status">{t('table.loading')}</p>}
      {missing && <p role="status">{missing}</p>}
      {children}
    </SideDrawer>
  )
}
