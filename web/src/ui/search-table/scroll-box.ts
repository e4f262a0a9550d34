import { elementScroll, type VirtualizerOptions } from '@tanstack/react-virtual'

type Box = VirtualizerOptions<HTMLDivElement, Element>

/** Width of what is beside a list: the drawer, closed below 1024 px, and the margins of the page (shell.css). */
const BESIDE_WIDE = 310
const BESIDE_NARROW = 50

/** Estimated size of the scroll box, for the first render. */
export const estimatedBox = () => ({
  width: innerWidth - (innerWidth < 1024 ? BESIDE_NARROW : BESIDE_WIDE),
  height: innerHeight - 220,
})
/** Reports the size after layout: measuring earlier would lay out the page twice. */
const observeRect: Box['observeElementRect'] = ({ scrollElement }, report) => {
  if (!scrollElement) return
  const observer = new ResizeObserver(([entry]) => entry && report(entry.contentRect))
  observer.observe(scrollElement)
  return () => observer.disconnect()
}
/** Skips scrolling to 0 when nothing was scrolled: it would force a layout. */
const scrollTo: Box['scrollToFn'] = (offset, options, box) => {
  if (offset || box.scrollOffset) elementScroll(offset, options, box)
}

/** How a virtualizer measures and scrolls a box of rows. */
export const scrollBox = () => ({
  initialRect: estimatedBox(),
  observeElementRect: observeRect,
  scrollToFn: scrollTo,
})
