import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'

const KEYS = ['ArrowDown', 'ArrowUp', 'Home', 'End'] as const
type Key = (typeof KEYS)[number]
const isKey = (key: string): key is Key => (KEYS as readonly string[]).includes(key)

type Props = {
  name: string
  children: ReactNode
  /** The button's look and what stands in it, in place of the three dots. Then the children come when it is opened. */
  face?: { className: string; inside: ReactNode }
}

/**
 * What is done seldom, in words, behind one button. The children are buttons or links with `role="menuitem"` and the class
 * `menu-item`; they stay in the page while the menu is closed, so that a key may press them.
 */
export const Menu = ({ name, children, face }: Props) => {
  const id = useId()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])]
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
    if (!isKey(event.key)) return
    event.preventDefault()
    const all = items()
    const at = all.findIndex((item) => item === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    all.at(to % all.length)?.focus()
  }
  return (
    <div className="menu">
      <button
        ref={trigger}
        type="button"
        className={face?.className ?? 'c-round'}
        aria-label={name}
        {...(face ? {} : { 'data-tip': name })}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {face?.inside ?? <Icon name="more" size={22} />}
      </button>
      <div
        ref={box}
        id={id}
        className="menu-box"
        role="menu"
        aria-label={name}
        hidden={!open}
        onKeyDown={byKey}
        // First, so that a dialog that opens now gives the focus back to what is still there then.
        onClickCapture={() => trigger.current?.focus()}
        onClick={() => setOpen(false)}
      >
        {(open || !face) && children}
      </div>
    </div>
  )
}
