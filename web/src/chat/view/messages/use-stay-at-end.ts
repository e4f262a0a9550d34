import { elementScroll, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Within this distance (px) of the end, the view follows new messages. */
export const END = 20

/** Pixels below the view, read from the DOM: the virtualizer's own numbers run ahead of it. */
export const belowView = (scroller: HTMLElement) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop

/**
 * Keeps the view at the end, whatever grows or shrinks, until the user scrolls away. Only a scroll to an offset that we
 * did not set counts as the user's: a check in an animation frame may see changed row heights before the view has
 * followed, and a room then opened above its end and stayed there. The virtualizer alone does not follow, because it
 * measures rows before the list can scroll, and the browser ignores its offset.
 * `scrollToFn` goes into the virtualizer's options, `onScroll` on the scroller.
 */
export const useStayAtEnd = (scroller: RefObject<HTMLElement | null>, starts: boolean) => {
  const isPinned = useRef(starts)
  /** The scroll offset after our last own write; the user chose any other. */
  const ownScrollTop = useRef<number>(undefined)
  /** The view's height that we last followed. */
  const followedHeight = useRef<number>(undefined)
  return {
    isPinned,
    followedHeight,
    scrollToFn: (...args: Parameters<typeof elementScroll<HTMLDivElement>>) => {
      elementScroll(...args)
      ownScrollTop.current = scroller.current?.scrollTop
    },
    onScroll: () => {
      const element = scroller.current
      if (!element) return
      if (belowView(element) <= END) isPinned.current = true
      // A view that grows lowers its own offset, but says so a frame later, when it may be small again: not the user.
      else if (element.clientHeight === followedHeight.current && element.scrollTop !== ownScrollTop.current)
        isPinned.current = false
    },
  }
}

/** Scrolls to the end after each render and each change of the size of the view or its rows. */
export const useFollowEnd = (
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLElement | null>,
  { isPinned, followedHeight }: Pick<ReturnType<typeof useStayAtEnd>, 'isPinned' | 'followedHeight'>,
) => {
  const follow = useRef(() => {})
  follow.current = () => {
    const element = scroller.current
    if (element && isPinned.current && belowView(element) > 1) virtualizer.scrollToEnd()
  }
  // In the layout effect: animation frames are late or missing in a busy or background page.
  useLayoutEffect(() => follow.current())
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    followedHeight.current = element.clientHeight
    const observer = new ResizeObserver(() => {
      follow.current()
      followedHeight.current = element.clientHeight
    })
    for (const one of [element, element.firstElementChild]) if (one) observer.observe(one)
    return () => observer.disconnect()
  }, [scroller, followedHeight])
}
