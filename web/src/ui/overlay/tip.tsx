import { useEffect, useRef } from 'react'

/**
 * One tooltip for the whole page: it shows the `data-tip` of the hovered or focused element. A tooltip component for
 * each of the hundreds of small buttons in a list would cost more than the list.
 */
export const Tip = () => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const hide = () => {
      if (box.current) box.current.hidden = true
    }
    const show = (event: Event) => {
      const owner = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
      const tip = box.current
      if (!tip) return
      if (!owner) return hide()
      tip.textContent = owner.dataset.tip ?? ''
      tip.hidden = false
      const { left, right, top, bottom, width, height } = owner.getBoundingClientRect()
      // Above an item of a column, it would cover the item before it.
      if (owner.closest('[data-tips="beside"]')) {
        tip.style.top = `${top + (height - tip.offsetHeight) / 2}px`
        tip.style.left = `${right + 6}px`
        return
      }
      const above = top > tip.offsetHeight + 12
      tip.style.top = `${above ? top - tip.offsetHeight - 6 : bottom + 6}px`
      const middle = left + width / 2 - tip.offsetWidth / 2
      tip.style.left = `${Math.max(4, Math.min(middle, innerWidth - tip.offsetWidth - 4))}px`
    }
    const byKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
    }
    document.addEventListener('pointerover', show)
    document.addEventListener('focusin', show)
    document.addEventListener('focusout', hide)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('scroll', hide, true)
    document.addEventListener('keydown', byKey)
    return () => {
      document.removeEventListener('pointerover', show)
      document.removeEventListener('focusin', show)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('scroll', hide, true)
      document.removeEventListener('keydown', byKey)
    }
  }, [])
  return <div ref={box} className="tip" aria-hidden="true" hidden />
}
