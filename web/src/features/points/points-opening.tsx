import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import './points.css'

type Props = {
  title?: string
  refused: string | undefined
  /** A character, or "Backspace". Missing where the amount cannot be changed. */
  onType?: (key: string) => void
  onClose: () => void
}

/**
 * The box of the dialog while its script or the member is loading. It takes the focus at once: without it, an amount and
 * Enter typed blindly would go to the member as a message. What is typed begins the amount: of 1200, typed while the
 * dialog opens, 200 would be left.
 */
export const PointsOpening = ({ title, refused, onType, onClose }: Props) => {
  const { t } = useWords()
  const heading = title ?? t('room.points_word')
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.focus(), [])
  return createPortal(
    <div className="points-opening">
      <div
        ref={box}
        role="dialog"
        aria-modal="true"
        aria-busy={!refused}
        aria-label={heading}
        tabIndex={-1}
        onKeyDown={(event) => {
          const { key, ctrlKey, altKey, metaKey } = event
          if (key === 'Escape') onClose()
          const isTyped = key === 'Backspace' || (key.length === 1 && !ctrlKey && !altKey && !metaKey)
          if (!isTyped || event.target !== event.currentTarget) return
          // The dialog may take this one's place before the key has had its effect, and take the character again.
          event.preventDefault()
          onType?.(key)
        }}
      >
        <header>
          <h2>{heading}</h2>
          <button type="button" className="icon-button" aria-label={t('action.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {refused ? <p role="alert">{refused}</p> : <p role="status">{t('table.loading')}</p>}
      </div>
    </div>,
    document.body,
  )
}
