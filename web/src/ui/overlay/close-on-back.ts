import type { RouterHistory } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { type Method, nameOfEntry, pageOfEntry, watchHistory, writeEntry } from '../../adapters/router-history.ts'
import { inNextTask } from '../../lib/schedule.ts'

type Layer = { back: () => void }

/** What is open over the page, the newest last. */
const layers: Layer[] = []
let isStarted = false
let router: Pick<RouterHistory, 'location'> | undefined
/** The browser is at our entry, which is above that of the page while anything is open. */
let isAbove = false
/** The user's "back" has just left our entry: it is the next one. */
let isAhead = false
/** The browser goes to another entry. One that is written before it arrives would replace the wrong one. */
let isTravelling = false
const waiting: (() => void)[] = []
/** The number of the page at which the browser is. */
let page: number | undefined
/** What the page has replaced its own entry with while the browser was at ours. */
let written: { state: unknown; url: string | URL | null | undefined } | undefined

const stateNow = (): unknown => window.history.state
/** Whether an entry is ours. It has the name and number of its page. */
const isOurs = (state: unknown) => (state as { isOverlay?: boolean } | null)?.isOverlay === true
const asOurs = (state: unknown) => ({ ...(state as object | null), isOverlay: true })

const travel = (steps: number) => {
  isTravelling = true
  window.history.go(steps)
}

/** Whether the address is that of another page, which the router is leaving again or has not written yet. */
const isElsewhere = () => {
  const [wanted, now] = [nameOfEntry(router?.location.state), nameOfEntry(stateNow())]
  return wanted !== undefined && now !== undefined && wanted !== now
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
  writeEntry('pushState', asOurs(stateNow()))
}
const settleSoon = () => inNextTask(settle)

const write = (method: Method, state: unknown, url: string | URL | null | undefined) => {
  if (isTravelling) {
    waiting.push(() => write(method, state, url))
    return
  }
  const isPush = method === 'pushState'
  if (isPush) {
    isAhead = false
    if (written && (pageOfEntry(written.state) ?? 0) >= (pageOfEntry(state) ?? 0)) written = undefined
  }
  if (isAbove && isPush) {
    // The next page takes the place of our entry, so that "back" leads from it to this page.
    isAbove = false
    writeEntry('replaceState', state, url)
  } else if (isAbove) {
    written = { state, url }
    writeEntry('replaceState', asOurs(state), url)
  } else writeEntry(method, state, url)
  page = pageOfEntry(state)
  settleSoon()
}

/** @returns whether it is another page, which the router has to load */
const pop = (state: unknown): boolean => {
  const [isOwn, isSamePage] = [isOurs(state), pageOfEntry(state) === page]
  const isByUser = isSamePage && isAbove && !isOwn && !isTravelling
  if (!isOwn && written && pageOfEntry(written.state) === pageOfEntry(state)) {
    writeEntry('replaceState', written.state, written.url)
    written = undefined
  }
  isAbove = isOwn
  isAhead = isByUser
  isTravelling = false
  page = pageOfEntry(state)
  if (isByUser) {
    const top = layers.at(-1)
    if (top) top.back()
    // All has been closed in this moment.
    else window.history.back()
  }
  while (waiting.length > 0 && !isTravelling) waiting.shift()?.()
  settleSoon()
  return !isSamePage
}

/**
 * From now on the browser's "back" closes what is open over a page, the newest first, instead of leaving the page. Not in
 * a frame, whose entries are among those of the page around it. @returns a function that ends it
 */
export const startCloseOnBack = (history?: Pick<RouterHistory, 'location'>) => {
  if (isStarted || window.parent !== window) return () => {}
  const stop = watchHistory({ write, pop })
  isStarted = true
  router = history
  // After a reload nothing is open.
  isAbove = isOurs(stateNow())
  page = pageOfEntry(stateNow())
  settleSoon()
  return () => {
    stop()
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
  // Before the step that brought it can be seen, as Esc does (use-layer.ts).
  useLayoutEffect(() => {
    latest.current = back
  })
  useEffect(() => {
    if (!isOpen) return
    // Closed a moment later, it would get its entry once more.
    return openLayer(() => flushSync(() => latest.current()))
  }, [isOpen])
}
