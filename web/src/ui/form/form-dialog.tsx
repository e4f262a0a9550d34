import type { FormEvent, ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../control/button.tsx'
import { Dialog } from '../overlay/dialog.tsx'
import { Alert } from '../overlay/message.tsx'
import type { FormState } from './use-form.ts'

type Props = {
  title: string
  /** The verb on the button that sends it. */
  act: string
  form: FormState
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  /** It cannot be sent yet. */
  disabled?: boolean
  danger?: boolean
  /** Who or what the dialog is about, at the other end of its head. */
  beside?: ReactNode
  /** At the side, as high as the screen: then a refusal is shown beside the buttons. */
  side?: boolean
  children: ReactNode
}

/** A dialog around a form of `useForm`. */
export const FormDialog = ({ act, form, disabled = false, danger = false, side = false, children, ...rest }: Props) => {
  const { t } = useWords()
  return (
    <Dialog
      {...rest}
      side={side}
      hasChanges={form.hasChanges}
      error={side ? form.refused : undefined}
      buttons={
        <>
          <Button onClick={rest.onClose}>{t('action.cancel')}</Button>
          <Button main danger={danger} submits busy={form.isSending} disabled={disabled}>
            {act}
          </Button>
        </>
      }
    >
      {!side && form.refused && <Alert text={form.refused} />}
      {children}
    </Dialog>
  )
}
