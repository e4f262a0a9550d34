import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useState } from 'react'
import { belowView } from './use-stay-at-end.ts'

/** Number of frames in which the scroll position must be right: one more than the virtualizer itself waits. */
const STABLE = 3
const END = -1
/** After one of these events the user controls the scrolling. */
const TAKES_OVER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Whether the view has reached its first position: row `start`, or the end if `start` is -1. Until then the virtualizer
 * assumes that it is at the top, and adding older rows would move the view away.
 */
export const useInitialPosition = (virtualizer: Virtualizer<HTMLDivElement, Element>, start: number) => {
  const [isPositioned, setPositioned] = useState(false)
  useEffect(() => {
    if (isPositioned) return
    let frame = 0
    let stable = 0
    const isThere = () => {
      if (start === END) return virtualizer.scrollElement !== null && belowView(virtualizer.scrollElement) < 2
      const offset = virtualizer.getOffsetForIndex(start, 'center')?.[0] ?? 0
      return Math.abs(offset - (virtualizer.scrollOffset ?? 0)) < 2
    }
    const check = () => {
      stable = isThere() ? stable + 1 : 0
      if (stable >= STABLE) return setPositioned(true)
      frame = requestAnimationFrame(check)
    }
    frame = requestAnimationFrame(check)
    const scroller = virtualizer.scrollElement
    const leave = () => setPositioned(true)
    for (const name of TAKES_OVER) scroller?.addEventListener(name, leave, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      for (const name of TAKES_OVER) scroller?.removeEventListener(name, leave)
    }
  }, [virtualizer, start, isPositioned])
  return isPositioned
}
