import { elementScroll, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Within this many pixels of the end the view goes on with what comes. */
export const END = 20

/** Pixels below the view, as the browser has them: the virtualizer's own count runs ahead of what the page has done. */
export const belowView = (scroller: HTMLElement) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop

/**
 * Keeps the view at the end from the moment the list is drawn until somebody scrolls away, whatever grows or shrinks. Only a
 * scroll to a place that we did not write ends it: when a frame looks where the view is, rows and view may have got other
 * heights that nobody has followed yet, and a room then opened above its end and stayed there. The virtualizer alone does
 * not follow either: it measures rows before their list can scroll, where the browser ignores what it writes.
 * `scrollToFn` belongs into its options, `onScroll` on the scroller.
 */
export const useStayAtEnd = (scroller: RefObject<HTMLElement | null>, starts: boolean) => {
  const isPinned = useRef(starts)
  /** Where the last write of our own has ended; any other place was chosen by a person. */
  const ownScrollTop = useRef<number>(undefined)
  return {
    isPinned,
    scrollToFn: (...args: Parameters<typeof elementScroll<HTMLDivElement>>) => {
      elementScroll(...args)
      ownScrollTop.current = scroller.current?.scrollTop
    },
    onScroll: () => {
      const element = scroller.current
      if (!element) return
      if (belowView(element) <= END) isPinned.current = true
      else if (element.scrollTop !== ownScrollTop.current) isPinned.current = false
    },
  }
}

/** Goes to the end again after each drawing, and each change of the size of the view or of its rows. */
export const useFollowEnd = (
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLElement | null>,
  isPinned: RefObject<boolean>,
) => {
  const follow = useRef(() => {})
  follow.current = () => {
    const element = scroller.current
    if (element && isPinned.current && belowView(element) > 1) virtualizer.scrollToEnd()
  }
  // In the frame of the drawing: frames come late or not at all in a page that is busy or behind another.
  useLayoutEffect(() => follow.current())
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => follow.current())
    for (const one of [element, element.firstElementChild]) if (one) observer.observe(one)
    return () => observer.disconnect()
  }, [scroller])
}
