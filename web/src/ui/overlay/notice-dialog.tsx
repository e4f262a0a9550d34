import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Dialog } from './dialog.tsx'

/** A dialog that only shows information, with one button that closes it. */
export const NoticeDialog = ({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ReactNode
}) => {
  const { t } = useWords()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onClose}
      buttons={
        <Button type="primary" htmlType="submit" autoFocus>
          {t('action.close')}
        </Button>
      }
    >
      {children}
    </Dialog>
  )
}
