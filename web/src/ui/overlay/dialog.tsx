import { Modal } from 'antd'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Alert } from './message.tsx'

type Props = {
  title: string
  children: ReactNode
  /** The buttons, the one that goes on last: `<Button htmlType="submit" type="primary">`. */
  buttons: ReactNode
  onClose: () => void
  /** What Esc does; closing when it is not said. */
  onBack?: () => void
  /** Whether something is typed in it that is not saved: then Esc says so and closes nothing, only its buttons do. */
  typed?: boolean
  /** What Enter and the submitting button do. */
  onSubmit?: () => void
}

type BoxProps = {
  title: string
  width: number
  children: ReactNode
  onClose: () => void
  /** What Esc does; closing when it is not said. */
  onKey?: (() => void) | undefined
  /** Whether a click beside it closes it. */
  maskClosable?: boolean
}

/** What floats in the middle, while it is mounted. It fades in where it stands: what still grows is easily missed. */
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

/** A dialog with a form. A click beside it does not close it: nothing typed is lost by a slip of the hand. */
export const Dialog = ({ title, children, buttons, onClose, onBack, onSubmit, typed = false }: Props) => {
  const { t } = useWords()
  const [warned, setWarned] = useState(false)
  const byKey = () => {
    if (typed) setWarned(true)
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
        {warned && typed && <Alert text={t('dialog.unsaved')} />}
        <div className="dialog-buttons">{buttons}</div>
      </form>
    </DialogBox>
  )
}
