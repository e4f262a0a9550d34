import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { stepInMenu } from './menu-keys.ts'

type Props = {
  name: string
  children: ReactNode
  /**
   * Class and content of the button, instead of the three dots. Then the children are rendered only while the menu is
   * open.
   */
  button?: { className: string; content: ReactNode }
}

/**
 * Rare actions behind one button. The children are buttons or links with `role="menuitem"` and the class `menu-item`.
 * They stay in the DOM while the menu is closed, so that keyboard shortcuts can click them.
 */
export const Menu = ({ name, children, button }: Props) => {
  const id = useId()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const close = () => {
    trigger.current?.focus()
    setOpen(false)
  }
  useEffect(() => {
    if (!open) return
    box.current?.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus()
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.parentElement?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const byKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault()
      return close()
    }
    stepInMenu(event, box.current)
  }
  return (
    <div className="menu">
      <button
        ref={trigger}
        type="button"
        className={button?.className ?? 'c-round'}
        aria-label={name}
        {...(button ? {} : { 'data-tip': name })}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {button?.content ?? <Icon name="more" size={22} />}
      </button>
      <div
        ref={box}
        id={id}
        className="menu-box"
        role="menu"
        aria-label={name}
        hidden={!open}
        onKeyDown={byKey}
        // Before the click's action: a dialog that it opens returns the focus to the button, because the item is gone
        // by then.
        onClickCapture={() => trigger.current?.focus()}
        onClick={() => setOpen(false)}
      >
        {(open || !button) && children}
      </div>
    </div>
  )
}
