import { isTyping } from './keys-asked.ts'
import { openLayers } from '../overlay/layers.ts'

/**
 * The keys of all lists: ↓ leads from the page, or from the field that searches the list, into its rows; ↑ ↓ (or K and J)
 * lead from row to row, and Enter presses what has the focus.
 *
 * A list is an element with `data-rows`, whose value selects its rows. In a row the focus goes to the element with
 * `data-open`, else to its first link or button.
 */
const LIST = '[data-rows]'
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** Where ↓ leads into the list. Menus, open panels and choices have their own use for it. */
const OUTSIDE = 'body, main, h1, h2, a[href], button:not([aria-haspopup], [aria-expanded])'
const SEARCH = 'input[type="search"], [role="search"] input:not([type])'

/** Whether the arrows scroll something around `from` that the list is not in. */
const isInScroller = (from: HTMLElement, list: HTMLElement) => {
  for (let box = from; !box.contains(list) && box.parentElement; box = box.parentElement)
    if (box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY)) return true
  return false
}

/** The list that ↓ leads into: one that is visible, and in the same part of the page. */
const listNear = (from: HTMLElement) => {
  if (!from.matches(`${OUTSIDE}, ${SEARCH}`)) return undefined
  const home = from.closest('[data-focus-home]')
  return [...document.querySelectorAll<HTMLElement>(LIST)].find((list) => {
    const isHere = !home || home.contains(list)
    const { top, bottom } = list.getBoundingClientRect()
    return isHere && !list.closest('[inert]') && bottom >= 0 && top < innerHeight && !isInScroller(from, list)
  })
}

const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>(list.dataset.rows || '*')]

/** A virtual list also renders rows above its view. */
const firstInView = (list: HTMLElement, rows: readonly HTMLElement[]) => {
  const head = list.querySelector<HTMLElement>('thead')?.offsetHeight ?? 0
  const edge = Math.max(0, list.getBoundingClientRect().top) + head
  return rows.find((row) => row.getBoundingClientRect().top >= edge - 1)
}

/** The first or last row of the list after or before this one in the same part of the page, as found messages are. */
const rowBeyond = (list: HTMLElement, step: number) => {
  const lists = [...(list.closest('[data-focus-home]')?.querySelectorAll<HTMLElement>(LIST) ?? [])]
  for (let at = lists.indexOf(list) + step; lists[at]; at += step) {
    const row = rowsOf(lists[at] as HTMLElement).at(step > 0 ? 0 : -1)
    if (row) return row
  }
  return undefined
}

/** Gives the focus to a row: to what Enter presses in it, or to the row itself if nothing does. */
const focusRow = (row: HTMLElement) => {
  const own = row.hasAttribute('tabindex') ? row : undefined
  const inside = row.querySelector<HTMLElement>('[data-open]:not(:disabled)')
  const target = own ?? inside ?? row.querySelector<HTMLElement>('a[href], button:not(:disabled)') ?? row
  if (target === row && !own) row.tabIndex = -1
  target.focus()
}

const onKeyDown = (event: KeyboardEvent) => {
  const step = steps[event.key]
  const { target } = event
  if (step === undefined || event.defaultPrevented || !(target instanceof HTMLElement)) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const inside = target.closest<HTMLElement>(LIST)
  // Letters act only in the list itself: somebody who dictates would move about the page (WCAG 2.1.4).
  const list = inside ?? (event.key === 'ArrowDown' ? listNear(target) : undefined)
  if (!list || (inside && isTyping(target))) return
  if (openLayers().some((layer) => !layer.contains(list))) return
  const rows = rowsOf(list)
  const at = rows.findIndex((row) => row.contains(target))
  const beyond = at + step < 0 || at + step >= rows.length
  const next = at < 0 ? step > 0 && firstInView(list, rows) : beyond ? rowBeyond(list, step) : rows[at + step]
  if (!next) return
  event.preventDefault()
  focusRow(next)
}

/** Starts them for the whole page. @returns a function that stops them */
export const startListKeys = () => {
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}
