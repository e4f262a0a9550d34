/**
 * When the element with the focus is removed, hidden or disabled, the browser moves the focus to the page's body: keys then
 * do nothing, and Tab starts again at the top of the page. `keepFocus` moves it on, in this order: to what had it before
 * (what opened the dialog that is gone), to the home of the part of the page it was in, to the page's main part.
 *
 * A home is an element with `data-focus-home`; the attribute's value is a selector of what inside it gets the focus.
 */
type Visit = { element: HTMLElement; home: HTMLElement | undefined; page: string }

/** Enough to remember the opener behind a long form that was walked through by Tab. */
const MAX_VISITS = 60
const HOME = '[data-focus-home]'

let visits: Visit[] = []
/** The element that got the focus here, and not from a person. */
let given: Element | null = null

const isUsable = (element: HTMLElement) =>
  element.isConnected &&
  element.getClientRects().length > 0 &&
  !element.matches(':disabled') &&
  element.closest('[inert]') === null

/** Whether nobody has chosen a place for the focus: nothing has it, or it was moved on from here. */
export const isFocusFree = () => document.activeElement === document.body || document.activeElement === given

const focusOn = (element: HTMLElement | null | undefined): boolean => {
  if (!element || !isUsable(element)) return false
  element.focus({ preventScroll: true })
  if (document.activeElement !== element && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.focus({ preventScroll: true })
  }
  return document.activeElement === element
}

/** On a touch screen a field would open the keyboard over the page, so there the heading gets the focus. */
const focusHome = (home: HTMLElement): boolean => {
  if (!home.isConnected) return false
  const wanted = home.dataset.focusHome
  const targets = wanted && matchMedia('(pointer: fine)').matches ? home.querySelectorAll<HTMLElement>(wanted) : []
  return [...targets].some(focusOn) || focusOn(home.querySelector<HTMLElement>('h1')) || focusOn(home)
}

/** From a dialog or a menu the focus goes back to what opened it, not to the part of the page it is drawn in. */
const homeOf = (element: Element): HTMLElement | undefined => {
  const home = element.closest<HTMLElement>(`${HOME}, dialog, [role="dialog"], [role="menu"]`)
  return home?.matches(HOME) ? home : undefined
}

/** Moves the focus to the home of the part of the page that `element` is in: after "Take", to the composer of its room. */
export const leaveToHome = (element: Element | null): void => {
  const home = element && homeOf(element)
  if (home) focusHome(home)
}

const dialogInFront = () =>
  [...document.querySelectorAll<HTMLElement>('[role="dialog"], dialog[open]')].findLast(isUsable)

const moveOn = () => {
  const front = dialogInFront()
  const isAllowed = (element: HTMLElement) => !front || front.contains(element)
  const { pathname } = window.location
  for (const { element, home, page } of visits.toReversed()) {
    // Of the page before, what is still there (a menu beside it) is not where somebody goes on.
    if (page === pathname && isAllowed(element) && focusOn(element)) return
    if (home && isAllowed(home) && focusHome(home)) return
  }
  if (front && focusOn(front)) return
  // The room rather than the list beside it.
  const homes = [...document.querySelectorAll<HTMLElement>(HOME)]
  if (!homes.findLast((home) => isAllowed(home) && focusHome(home))) focusOn(document.querySelector('main'))
}

const check = () => {
  const last = visits.at(-1)
  if (!last || document.activeElement !== document.body || isUsable(last.element)) return
  // Somebody is copying words: a new focus would take the selection away.
  if (document.getSelection()?.isCollapsed === false) return
  moveOn()
  given = document.activeElement
}

const visit = ({ target }: FocusEvent) => {
  if (!(target instanceof HTMLElement)) return
  if (target !== given) given = null
  const others = visits.filter(({ element, home }) => element !== target && (element.isConnected || home?.isConnected))
  visits = [...others.slice(1 - MAX_VISITS), { element: target, home: homeOf(target), page: window.location.pathname }]
}

/** Starts it for the whole page; answers what ends it. */
export const keepFocus = () => {
  let waits = false
  const later = () => {
    // What is removed has lost the focus by then; what is hidden or disabled loses it with the next frame.
    if (waits) return
    waits = true
    setTimeout(check)
    requestAnimationFrame(() =>
      setTimeout(() => {
        waits = false
        check()
      }),
    )
  }
  const observer = new MutationObserver(later)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open', 'style'],
  })
  document.addEventListener('focusin', visit)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', visit)
  }
}
