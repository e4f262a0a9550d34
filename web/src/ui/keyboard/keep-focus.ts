import { isTyping } from './keys-asked.ts'

/**
 * When the focused element is removed, hidden or disabled, the browser moves the focus to the body: keys then do
 * nothing, and Tab starts at the top of the page. `keepFocus` moves it instead, in this order: to the element that had
 * it before (for a closed dialog, the one that opened it), to the home of the part of the page it was in, to the page's
 * main part.
 *
 * A home is an element with `data-focus-home`; the attribute's value selects the element inside it that gets the focus.
 */
/** `isTyped`: a removed element no longer tells whether keys were text there. */
type Visit = { element: HTMLElement; home: HTMLElement | undefined; page: string; isTyped: boolean }

/** Enough to remember the opener of a long form whose fields were all visited by Tab. */
const MAX_VISITS = 60
const HOME = '[data-focus-home]'

let visits: Visit[] = []
/** The element that this module focused. */
let movedTo: Element | null = null

const isUsable = (element: HTMLElement) =>
  element.isConnected &&
  element.getClientRects().length > 0 &&
  !element.matches(':disabled') &&
  element.closest('[inert]') === null

/** Whether the user has not chosen the focus: nothing has it, or this module moved it. */
export const isFocusFree = () => document.activeElement === document.body || document.activeElement === movedTo

const focusOn = (element: HTMLElement | null | undefined): boolean => {
  if (!element || !isUsable(element)) return false
  element.focus({ preventScroll: true })
  if (document.activeElement !== element && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.focus({ preventScroll: true })
  }
  return document.activeElement === element
}

/**
 * Focuses the home's target. On a touch screen a focused field would open the keyboard over the page, so the heading
 * gets the focus. `midSentence`: a field that was being typed in is gone, and its next space would press a button.
 */
const focusHome = (home: HTMLElement, midSentence = false): boolean => {
  if (!home.isConnected) return false
  const wanted = home.dataset.focusHome
  const found = wanted && matchMedia('(pointer: fine)').matches ? home.querySelectorAll<HTMLElement>(wanted) : []
  const targets = [...found].filter((target) => !midSentence || isTyping(target))
  return targets.some(focusOn) || focusOn(home.querySelector<HTMLElement>('h1')) || focusOn(home)
}

/** The home of an element. Elements in a dialog or menu have none: from there the focus returns to the opener. */
const homeOf = (element: Element): HTMLElement | undefined => {
  const home = element.closest<HTMLElement>(`${HOME}, dialog, [role="dialog"], [role="menu"]`)
  return home?.matches(HOME) ? home : undefined
}

/** Moves the focus to the home of `element`: after "Take", for example, to the room's composer. */
export const leaveToHome = (element: Element | null): void => {
  const home = element && homeOf(element)
  if (home) focusHome(home)
}

const dialogInFront = () =>
  [...document.querySelectorAll<HTMLElement>('[role="dialog"], dialog[open]')].findLast(isUsable)

const moveFocus = () => {
  const front = dialogInFront()
  const isAllowed = (element: HTMLElement) => !front || front.contains(element)
  const { pathname } = window.location
  const midSentence = visits.at(-1)?.isTyped
  for (const { element, home, page } of visits.toReversed()) {
    // An element of the previous page that still exists (such as a menu) is not where the user continues.
    if (page === pathname && isAllowed(element) && focusOn(element)) return
    if (home && isAllowed(home) && focusHome(home, midSentence)) return
  }
  if (front && focusOn(front)) return
  // The last home first: the room rather than the list beside it.
  const homes = [...document.querySelectorAll<HTMLElement>(HOME)]
  if (!homes.findLast((home) => isAllowed(home) && focusHome(home, midSentence)))
    focusOn(document.querySelector('main'))
}

const check = () => {
  const last = visits.at(-1)
  if (!last || document.activeElement !== document.body || isUsable(last.element)) return
  // The user is selecting text: a new focus would remove the selection.
  if (document.getSelection()?.isCollapsed === false) return
  moveFocus()
  movedTo = document.activeElement
}

/** Tab past the end of a modal reaches the page behind it for a moment, before the modal takes the focus back. */
const isBehindModal = (element: HTMLElement): boolean => {
  const front = dialogInFront()
  return front?.getAttribute('aria-modal') === 'true' && !front.contains(element)
}

const remember = ({ target }: FocusEvent) => {
  if (!(target instanceof HTMLElement) || isBehindModal(target)) return
  if (target !== movedTo) movedTo = null
  const others = visits.filter(({ element, home }) => element !== target && (element.isConnected || home?.isConnected))
  visits = [
    ...others.slice(1 - MAX_VISITS),
    { element: target, home: homeOf(target), page: window.location.pathname, isTyped: isTyping(target) },
  ]
}

/** Starts it for the whole page. @returns a function that stops it */
export const keepFocus = () => {
  let isScheduled = false
  const scheduleCheck = () => {
    // A removed element has lost the focus by the next task; a hidden or disabled one loses it with the next frame.
    if (isScheduled) return
    isScheduled = true
    setTimeout(check)
    requestAnimationFrame(() =>
      setTimeout(() => {
        isScheduled = false
        check()
      }),
    )
  }
  const observer = new MutationObserver(scheduleCheck)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open', 'style'],
  })
  document.addEventListener('focusin', remember)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', remember)
  }
}
