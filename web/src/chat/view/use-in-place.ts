import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useState } from 'react'
import { belowView } from './use-stay-at-end.ts'

/** How many frames in a row the view must be found in its place; one more than the virtualizer itself waits for. */
const STABLE = 3
const END = -1
/** Who does one of these goes where he wants. */
const TAKES_OVER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Whether the view has come to where it begins: the row `start`, or the end when that is -1. Until then the virtualizer
 * takes itself to be at the top, and older rows would move what is looked for.
 */
export const useInPlace = (virtualizer: Virtualizer<HTMLDivElement, Element>, start: number) => {
  const [inPlace, setInPlace] = useState(false)
  useEffect(() => {
    if (inPlace) return
    let frame = 0
    let stable = 0
    const isThere = () => {
      if (start === END) return virtualizer.scrollElement !== null && belowView(virtualizer.scrollElement) < 2
      const place = virtualizer.getOffsetForIndex(start, 'center')?.[0] ?? 0
      return Math.abs(place - (virtualizer.scrollOffset ?? 0)) < 2
    }
    const look = () => {
      stable = isThere() ? stable + 1 : 0
      if (stable >= STABLE) return setInPlace(true)
      frame = requestAnimationFrame(look)
    }
    frame = requestAnimationFrame(look)
    const scroller = virtualizer.scrollElement
    const leave = () => setInPlace(true)
    for (const name of TAKES_OVER) scroller?.addEventListener(name, leave, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      for (const name of TAKES_OVER) scroller?.removeEventListener(name, leave)
    }
  }, [virtualizer, start, inPlace])
  return inPlace
}
