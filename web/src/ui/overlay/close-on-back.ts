import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { inNextTask } from '../../lib/schedule.ts'

/** Of the router: `__TSR_index` counts the pages of this tab. Our entry has those of its page. */
type State = { isOverlay?: boolean; __TSR_key?: string; __TSR_index?: number } | null
type Method = 'pushState' | 'replaceState'
type Layer = { back: () => void }
type RouterHistory = { location: { state: { __TSR_key?: string } } }

/** What is open over the page, the newest last. */
const layers: Layer[] = []
let isStarted = false
let router: RouterHistory | undefined
/** The browser is at our entry, which is above that of the page while anything is open. */
let isAbove = false
/** The user's "back" has just left our entry: it is the next one. */
let isAhead = false
/** The browser goes to another entry. One that is written before it arrives would replace the wrong one. */
let isTravelling = false
const waiting: (() => void)[] = []
let pageIndex: number | undefined
/** What the page has replaced its own entry with while the browser was at ours. */
let written: { state: State; url: string | URL | null | undefined } | undefined

const stateNow = () => window.history.state as State
const indexOf = (state: State) => state?.__TSR_index
/** Past the router, which would load the page again. */
const writeNow = (method: Method, state: State, url?: string | URL | null) =>
  History.prototype[method].call(window.history, state, '', url)

const travel = (steps: number) => {
  isTravelling = true
  window.history.go(steps)
}

/** Whether the address is that of another page, which the router is leaving again or has not written yet. */
const isElsewhere = () => {
  const key = router?.location.state.__TSR_key
  const now = stateNow()?.__TSR_key
  return key !== undefined && now !== undefined && key !== now
}

/** Puts our entry into the history when something has been opened, and takes it away when all is closed. */
const settle = () => {
  if (layers.length === 0) isAhead = false
  if (!isStarted || isTravelling || isAbove === layers.length > 0) return
  if (isAbove) return travel(-1)
  // Browsers skip pages that add entries by themselves after "back": the entry that is there is used again.
  if (isAhead) return travel(1)
  if (isElsewhere()) return
  isAbove = true
  writeNow('pushState', { ...stateNow(), isOverlay: true })
}
const settleSoon = () => inNextTask(settle)

const write = (method: Method, state: State, url: string | URL | null | undefined, plain: () => void) => {
  const isPush = method === 'pushState'
  if (isPush) {
    isAhead = false
    if (written && (indexOf(written.state) ?? 0) >= (indexOf(state) ?? 0)) written = undefined
  }
  if (isAbove && isPush) {
    // The next page takes the place of our entry, so that "back" leads from it to this page.
    isAbove = false
    writeNow('replaceState', state, url)
  } else if (isAbove) {
    written = { state, url }
    writeNow('replaceState', { ...state, isOverlay: true }, url)
  } else plain()
  pageIndex = indexOf(state)
  settleSoon()
}

const onPop = (event: PopStateEvent) => {
  const state = event.state as State
  const [isOurs, isSamePage] = [state?.isOverlay === true, indexOf(state) === pageIndex]
  const isByUser = isSamePage && isAbove && !isOurs && !isTravelling
  if (!isOurs && written && indexOf(written.state) === indexOf(state)) {
    writeNow('replaceState', written.state, written.url)
    written = undefined
  }
  isAbove = isOurs
  isAhead = isByUser
  isTravelling = false
  pageIndex = indexOf(state)
  // The router would load the page again.
  if (isSamePage) event.stopImmediatePropagation()
  if (isByUser) {
    const top = layers.at(-1)
    if (top) top.back()
    // All has been closed in this moment.
    else window.history.back()
  }
  while (waiting.length > 0 && !isTravelling) waiting.shift()?.()
  settleSoon()
}

/**
 * From now on the browser's "back" closes what is open over a page, the newest first, instead of leaving the page. Not in
 * a frame, whose entries are among those of the page around it. @returns a function that ends it
 */
export const startCloseOnBack = (history?: RouterHistory) => {
  if (isStarted || window.parent !== window) return () => {}
  const own = window.history
  const plain = { pushState: own.pushState.bind(own), replaceState: own.replaceState.bind(own) }
  const watched =
    (method: Method): History[Method] =>
    (state: State, unused, url) => {
      if (!isTravelling) return write(method, state, url, () => plain[method](state, unused, url))
      waiting.push(() => write(method, state, url, () => writeNow(method, state, url)))
    }
  Object.assign(own, { pushState: watched('pushState'), replaceState: watched('replaceState') })
  window.addEventListener('popstate', onPop, { capture: true })
  isStarted = true
  router = history
  // After a reload nothing is open.
  isAbove = stateNow()?.isOverlay === true
  pageIndex = indexOf(stateNow())
  settleSoon()
  return () => {
    Object.assign(own, plain)
    window.removeEventListener('popstate', onPop, { capture: true })
    isStarted = false
    router = undefined
  }
}

/** Goes back from the page, whatever is open on it. `go` is that of the router's history. */
export const goBack = (go: (steps: number) => void) => {
  if (isTravelling) {
    waiting.push(() => goBack(go))
    return
  }
  const steps = isAbove ? -2 : -1
  // Else what closes meanwhile would take its entry away a second time.
  isTravelling = isStarted
  go(steps)
}

/** @returns a function that says that it is closed */
export const openLayer = (back: () => void) => {
  const layer = { back }
  layers.push(layer)
  settleSoon()
  return () => {
    const at = layers.indexOf(layer)
    if (at >= 0) layers.splice(at, 1)
    settleSoon()
  }
}

/** While it is open, the browser's "back" calls `back`, which closes it, goes back a step in it, or asks. */
export const useCloseOnBack = (isOpen: boolean, back: () => void) => {
  const latest = useRef(back)
  useEffect(() => {
    latest.current = back
  })
  useEffect(() => {
    if (!isOpen) return
    // Closed a moment later, it would get its entry once more.
    return openLayer(() => flushSync(() => latest.current()))
  }, [isOpen])
}
