import { Modal } from 'antd'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Alert } from './message.tsx'

type Props = {
  title: string
  children: ReactNode
  /** The buttons; the main one is last: `<Button htmlType="submit" type="primary">`. */
  buttons: ReactNode
  onClose: () => void
  /** Called on Esc; closes by default. */
  onBack?: () => void
  /** Whether the dialog has unsaved input: then Esc shows a warning instead of closing, and only the buttons close. */
  hasChanges?: boolean
  /** Called on Enter and by the submit button. */
  onSubmit?: () => void
}

type BoxProps = {
  title: string
  width: number
  children: ReactNode
  onClose: () => void
  /** Called on Esc; closes by default. */
  onKey?: (() => void) | undefined
  /** Whether a click outside closes it. */
  maskClosable?: boolean
}

/** A centred modal, open while it is mounted. It fades in without growing: a growing target is easily missed. */
export const DialogBox = ({ title, width, children, onClose, onKey = onClose, maskClosable = false }: BoxProps) => {
  const { t } = useWords()
  return (
    <Modal
      open
      title={title}
      footer={null}
      width={width}
      centered
      transitionName="ant-fade"
      mask={{ closable: maskClosable }}
      closable={{ 'aria-label': t('action.close') }}
      onCancel={(event) => (event.type === 'keydown' ? onKey() : onClose())}
    >
      {children}
    </Modal>
  )
}

/** A dialog with a form. A click outside does not close it, so that an accidental click loses no input. */
export const Dialog = ({ title, children, buttons, onClose, onBack, onSubmit, hasChanges = false }: Props) => {
  const { t } = useWords()
  const [warned, setWarned] = useState(false)
  const byKey = () => {
    if (hasChanges) setWarned(true)
    else (onBack ?? onClose)()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <DialogBox title={title} width={500} onClose={onClose} onKey={byKey}>
      <form className="dialog-form" onSubmit={submit} noValidate>
        {children}
        {warned && hasChanges && <Alert text={t('dialog.unsaved')} />}
        <div className="dialog-buttons">{buttons}</div>
      </form>
    </DialogBox>
  )
}
