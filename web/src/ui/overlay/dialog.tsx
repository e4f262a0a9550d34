import { type FormEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useWords } from '../../i18n/i18n.ts'
import { inNextFrame } from '../../lib/schedule.ts'
import { Icon } from '../icon.tsx'
import { useCloseOnBack } from './close-on-back.ts'
import { Alert } from './message.tsx'
import { useProtection } from './protection.ts'
import { useLayer } from './use-layer.ts'
import './dialog-side.css'

type Props = {
  title: string
  /** Who or what the dialog is about, at the other end of its head. */
  beside?: ReactNode
  /** At the side, as high as the screen: for a long form, with its buttons always in view. */
  side?: boolean
  children: ReactNode
  /** The buttons; the main one is last: `<Button main submits>`. */
  buttons: ReactNode
  onClose: () => void
  /** Called on Esc and by the browser's "back"; closes by default. */
  onBack?: () => void
  /**
   * Whether it has unsaved input: then Esc warns, the cross and the browser's "back" too the first time; "Cancel" discards.
   * Not said, only "back" warns after something was typed.
   */
  hasChanges?: boolean
  /** It asks for the last time before points move: a press that comes too early to have read it does nothing. */
  isLastQuestion?: boolean
  /** Why it was not saved, above the buttons: there it is seen wherever a long form is scrolled to. */
  error?: string | undefined
  /** Called on Enter and by the submit button. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  width?: number | undefined
}

type BoxProps = {
  title: string
  beside?: ReactNode
  width: number
  /** At the side, as high as the screen: for a long form, with its buttons always in view. */
  side?: boolean
  children: ReactNode
  onClose: () => void
  /** Called on Esc; closes by default. */
  onKey?: () => void
  /** Called by the browser's "back"; closes by default. */
  onBack?: () => void
  /** Whether a click outside closes it. */
  maskClosable?: boolean
}

/** A modal, open while it is mounted: centred, on a phone a sheet from below. */
export const DialogBox = ({
  title,
  beside,
  width,
  side = false,
  children,
  onClose,
  onKey = onClose,
  onBack = onClose,
  maskClosable = false,
}: BoxProps) => {
  const { t } = useWords()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const beginsOutside = useRef(false)
  useCloseOnBack(true, onBack)
  useLayer(box, true, onKey)
  const isOutside = ({ target, currentTarget }: Pick<MouseEvent, 'target' | 'currentTarget'>) =>
    target === currentTarget
  return createPortal(
    <div
      className="dialog-layer"
      onPointerDown={(event) => {
        beginsOutside.current = isOutside(event)
      }}
      // A press that begins in a field and ends outside selects text.
      onClick={(event) => maskClosable && beginsOutside.current && isOutside(event) && onClose()}
    >
      <div
        ref={box}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        className={side ? 'dialog dialog-side' : 'dialog'}
        style={{ width }}
      >
        <button type="button" className="icon-button dialog-close" aria-label={t('action.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
        <div id={id} className="dialog-head">
          <span className="dialog-title">{title}</span>
          {beside}
        </div>
        <div className="dialog-body">{children}</div>
      </div>
    </div>,
    document.body,
  )
}

/** A dialog with a form. A click outside does not close it, so that an accidental click loses no input. */
export const Dialog = ({ title, beside, side = false, children, buttons, onClose, ...rest }: Props) => {
  const { onBack, onSubmit, hasChanges, isLastQuestion = false, error, width = 440 } = rest
  const { t } = useWords()
  const [warned, setWarned] = useState(false)
  const [wasTyped, setTyped] = useState(false)
  const { isProtected, again } = useProtection(isLastQuestion)
  const isLost = hasChanges ?? wasTyped
  const byKey = () => {
    if (hasChanges) setWarned(true)
    else (onBack ?? onClose)()
  }
  const byCross = () => {
    if (hasChanges && !warned) setWarned(true)
    else onClose()
  }
  const byBack = () => {
    // A step back loses nothing.
    if (onBack) onBack()
    else if (isLost && !warned) setWarned(true)
    else onClose()
  }
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const isText = target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox'
    if (isText || target instanceof HTMLTextAreaElement) setTyped(true)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form that holds the button which opened this would be sent too: React passes the event on to it.
    event.stopPropagation()
    if (isProtected) return again()
    const form = event.currentTarget
    onSubmit?.(event)
    // What is wrong gets the focus: a long form may be scrolled away from it, and on a phone the keyboard opens.
    inNextFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  /** Enter makes a new line in a field of several lines. With Ctrl or ⌘ it sends from every field. */
  const sendFromField = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (!(event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]:not(:disabled)')?.click()
  }
  return (
    <DialogBox {...{ title, beside, side, width }} onClose={byCross} onKey={byKey} onBack={byBack}>
      <form
        className="dialog-form"
        data-protected={isProtected || undefined}
        onSubmit={submit}
        onInput={onInput}
        onKeyDown={sendFromField}
        noValidate
      >
        {children}
        <div className="dialog-buttons">
          {buttons}
          {error && <Alert text={error} />}
          {warned && isLost && <Alert text={t('dialog.unsaved')} />}
        </div>
      </form>
    </DialogBox>
  )
}
