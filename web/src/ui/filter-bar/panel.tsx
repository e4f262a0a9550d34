import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'

type Props = {
  label: string
  /** The button that opens the panel. */
  trigger: (props: { 'aria-expanded': boolean; 'aria-haspopup': 'dialog'; onClick: () => void }) => ReactNode
  children: (close: () => void) => ReactNode
}

/** The calendar, which the component library draws at the end of the page, although it belongs to a field of the panel. */
const LAYER = '.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)'

/**
 * A panel below its button, inside the form, so that Enter in it searches. Esc and a press elsewhere close it. On a small
 * screen it is a part of the page instead of a layer, so that it is never outside the screen.
 */
export const Panel = ({ label, trigger, children }: Props) => {
  const [open, setOpen] = useState(false)
  const spot = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const close = useCallback(() => {
    setOpen(false)
    spot.current?.querySelector('button')?.focus()
  }, [])
  useEffect(() => {
    const { current } = box
    if (!open || !current) return
    // At the right edge of the page it opens to the left.
    const { left, width } = current.getBoundingClientRect()
    if (left + width > document.documentElement.clientWidth) current.dataset.side = 'end'
    current.querySelector<HTMLElement>('input, button')?.focus()
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Element && !spot.current?.contains(target) && !target.closest(LAYER)) setOpen(false)
    }
    const form = current.closest('form')
    document.addEventListener('pointerdown', outside)
    form?.addEventListener('submit', close)
    return () => {
      document.removeEventListener('pointerdown', outside)
      form?.removeEventListener('submit', close)
    }
  }, [open, close])
  const byKey = (event: KeyboardEvent) => {
    // Esc closes the calendar first.
    if (event.key !== 'Escape' || document.querySelector(LAYER)) return
    event.preventDefault()
    close()
  }
  return (
    <span ref={spot} className="filter-spot">
      {trigger({ 'aria-expanded': open, 'aria-haspopup': 'dialog', onClick: () => setOpen(!open) })}
      {open && (
        <div ref={box} className="filter-panel" role="dialog" aria-label={label} onKeyDown={byKey}>
          {children(close)}
        </div>
      )}
    </span>
  )
}
