import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useModal } from '../ui/overlay/modal.ts'
import { useWords } from '../i18n/i18n.ts'

type Props = {
  title: string
  onClose: () => void
  /** Shows a button that leads back to the sheet's first page. */
  onBack?: (() => void) | undefined
  children: ReactNode
}

/** A panel from the side, on a small screen from below. A native dialog: it traps the focus and restores it. */
export const Sheet = ({ title, onClose, onBack, children }: Props) => {
  const { t } = useWords()
  const dialog = useModal()
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    // A view that replaces another removes the button that was pressed: without this, keys would do nothing.
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body) heading.current?.focus()
    })
    if (element) observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [dialog])
  return (
    // The keyboard has Escape and the button.
    <dialog
      ref={dialog}
      className="m-sheet"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="m-sheet-in">
        <header>
          {onBack && (
            <button type="button" className="c-round" aria-label={t('action.back')} onClick={onBack}>
              <Icon name="chevronLeft" />
            </button>
          )}
          <h2 ref={heading} id={id} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="c-round" aria-label={t('action.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
