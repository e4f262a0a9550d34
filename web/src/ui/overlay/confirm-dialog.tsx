import type { ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../control/button.tsx'
import { Dialog } from './dialog.tsx'
import { Alert } from './message.tsx'

type Props = {
  title: string
  /** The verb on the button that does it. */
  act: string
  /** The text of the other button. */
  cancel?: string
  danger?: boolean
  /** It is being done; presses are ignored. */
  isBusy?: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before something is done. The focus is on the button that does nothing, so Enter alone changes nothing. */
export const ConfirmDialog = ({ title, act, cancel, danger = false, isBusy = false, error, ...rest }: Props) => {
  const { onConfirm, onClose, children } = rest
  const { t } = useWords()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => !isBusy && onConfirm()}
      buttons={
        <>
          <Button autoFocus onClick={onClose}>
            {cancel ?? t('action.cancel')}
          </Button>
          <Button main danger={danger} submits busy={isBusy}>
            {act}
          </Button>
        </>
      }
    >
      {error && <Alert text={error.message} />}
      {children}
    </Dialog>
  )
}
