import type { ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../control/button.tsx'
import { Dialog } from './dialog.tsx'

/** A dialog that only shows information, with one button that closes it. */
export const NoticeDialog = ({
  title,
  width,
  button,
  onClose,
  children,
}: {
  title: string
  /** Where "Close" could be taken for the act of the title. */
  button?: string | undefined
  width?: number | undefined
  onClose: () => void
  children: ReactNode
}) => {
  const { t } = useWords()
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      onSubmit={onClose}
      buttons={
        <Button main submits autoFocus>
          {button ?? t('action.close')}
        </Button>
      }
    >
      {children}
    </Dialog>
  )
}
