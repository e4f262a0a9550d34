import { type FocusEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'

type Props = {
  label: string
  /** The button that opens the panel. */
  trigger: (props: { 'aria-expanded': boolean; 'aria-haspopup': 'dialog'; onClick: () => void }) => ReactNode
  children: (close: () => void) => ReactNode
}

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
    const first = () => current.querySelector<HTMLElement>('input, button')?.focus()
    // Its fields are on their way: the first button is what applies them.
    const isLater = () => current.querySelector('[data-later]') !== null
    const arrival = new MutationObserver(() => {
      if (isLater()) return
      arrival.disconnect()
      if (document.activeElement === current) first()
    })
    if (isLater()) {
      current.focus()
      arrival.observe(current, { childList: true, subtree: true })
    } else first()
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Element && !spot.current?.contains(target)) setOpen(false)
    }
    const form = current.closest('form')
    // What is wrong in it is not searched for: it stays.
    const submitted = () => current.querySelector('[aria-invalid="true"]') ?? close()
    document.addEventListener('pointerdown', outside)
    form?.addEventListener('submit', submitted)
    return () => {
      arrival.disconnect()
      document.removeEventListener('pointerdown', outside)
      form?.removeEventListener('submit', submitted)
    }
  }, [open, close])
  const byKey = (event: KeyboardEvent) => {
    if (!open || event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  const left = ({ relatedTarget }: FocusEvent) => {
    // Without one, the focus went nowhere: another window, or a press that the panel sees itself.
    if (relatedTarget instanceof Element && !spot.current?.contains(relatedTarget)) setOpen(false)
  }
  return (
    <span ref={spot} className="filter-spot" onKeyDown={byKey} onBlur={left}>
      {trigger({ 'aria-expanded': open, 'aria-haspopup': 'dialog', onClick: () => setOpen(!open) })}
      {open && (
        <div ref={box} className="filter-panel" role="dialog" aria-label={label} tabIndex={-1}>
          {children(close)}
        </div>
      )}
    </span>
  )
}
