import { type PointerEvent, type MouseEvent, useRef } from 'react'

/** How far a finger must have moved to the right to quote, in px, and how long it must rest for the menu, in ms. */
const SWIPE = 56
const PRESS_MS = 450
/** Less than this is a finger that rests; more downwards than sideways is scrolling. */
const SLACK = 10

type Gesture = { row: HTMLElement; x: number; y: number; timer: ReturnType<typeof setTimeout>; swiping: boolean }
type Options = { onSwipe: ((row: HTMLElement) => void) | undefined; onLongPress: (row: HTMLElement) => void }

export const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-seq]') : null

/** A finger on a message: to the right quotes it, resting opens its menu. A mouse has the button beside the message. */
export const useGestures = ({ onSwipe, onLongPress }: Options) => {
  const gesture = useRef<Gesture>(undefined)
  const end = () => {
    const now = gesture.current
    if (!now) return
    clearTimeout(now.timer)
    now.row.style.removeProperty('transform')
    gesture.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      end()
      const row = rowOf(event.target)
      if (!row || event.pointerType === 'mouse' || !event.isPrimary) return
      const timer = setTimeout(() => {
        end()
        onLongPress(row)
      }, PRESS_MS)
      gesture.current = { row, x: event.clientX, y: event.clientY, timer, swiping: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const now = gesture.current
      if (!now) return
      const [x, y] = [event.clientX - now.x, Math.abs(event.clientY - now.y)]
      if (Math.abs(x) > SLACK || y > SLACK) clearTimeout(now.timer)
      if (!now.swiping && y > SLACK) return end()
      if (!onSwipe || (!now.swiping && x <= SLACK)) return
      now.swiping = true
      now.row.style.transform = `translateX(${Math.max(0, Math.min(x, SWIPE + 16))}px)`
    },
    onPointerUp: (event: PointerEvent) => {
      const now = gesture.current
      if (now?.swiping && event.clientX - now.x >= SWIPE) onSwipe?.(now.row)
      end()
    },
    onPointerCancel: end,
    // Android opens its own menu where a finger rests.
    onContextMenu: (event: MouseEvent) => {
      if (gesture.current) event.preventDefault()
    },
  }
}
