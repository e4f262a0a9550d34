/// <reference lib="dom" />
/** The controls that an element covers. */
export const coveredBy = (element: Element): string[] => {
  const own = element.getBoundingClientRect()
  const found = document.querySelectorAll<HTMLElement>(
    'button, a, input, textarea, select, [role="button"], .c-composer',
  )
  return [...found]
    .filter((one) => {
      const { left, right, top, bottom, width } = one.getBoundingClientRect()
      const meets = left < own.right && right > own.left && top < own.bottom && bottom > own.top
      return meets && width > 0 && !element.contains(one) && !one.closest('.visually-hidden')
    })
    .map((one) => one.outerHTML.slice(0, 120))
}
