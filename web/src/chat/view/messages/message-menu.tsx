import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { useModal } from '../../../ui/overlay/modal.ts'
import './message-menu.css'

export type MessageAction = { icon: IconName; word: string; keys?: string; press: () => void }
type Props = { anchor: DOMRect; actions: readonly MessageAction[]; onClose: () => void }

const GAP = 4

/** The acts on one message: beside it, on a phone at the bottom. A native dialog: it traps the focus and restores it. */
export const MessageMenu = ({ anchor, actions, onClose }: Props) => {
  const { t } = useWords()
  const dialog = useModal()
  /** A finger that opened the menu by resting is still down: where it is lifted is no choice. */
  const pressed = useRef(false)
  const isChosen = (event: MouseEvent) => pressed.current || event.detail === 0

  useEffect(() => {
    const element = dialog.current
    if (!element) return
    const { width, height } = element.getBoundingClientRect()
    const below = anchor.bottom + GAP + height < innerHeight
    element.style.setProperty('--x', `${Math.max(GAP, Math.min(anchor.left, innerWidth - width - GAP))}px`)
    element.style.setProperty('--y', `${below ? anchor.bottom + GAP : Math.max(GAP, anchor.top - GAP - height)}px`)
  }, [anchor, dialog])

  const onKeyDown = (event: KeyboardEvent<HTMLDialogElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.findIndex((button) => button === document.activeElement)
    buttons.at((at + by) % buttons.length)?.focus()
  }
  return (
    // The keyboard closes it with Escape.
    <dialog
      ref={dialog}
      className="c-menu"
      aria-label={t('message.actions')}
      onClose={onClose}
      onKeyDown={onKeyDown}
      onPointerDown={() => (pressed.current = true)}
      onClick={(event) => isChosen(event) && event.target === event.currentTarget && onClose()}
    >
      {actions.map(({ icon, word, keys, press }) => (
        <button
          key={word}
          type="button"
          onClick={(event) => {
            if (!isChosen(event)) return
            // Closed first: the dialog gives the focus back, and the action may move it on.
            dialog.current?.close()
            press()
          }}
        >
          <Icon name={icon} size={18} />
          {word}
          {keys && <kbd>{keys}</kbd>}
        </button>
      ))}
    </dialog>
  )
}
