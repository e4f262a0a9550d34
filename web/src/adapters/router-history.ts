import type { RouterHistory } from '@tanstack/react-router'

/** What the router writes into each entry of the browser's history. Both fields are the router's own: only here. */
type Entry = Partial<RouterHistory['location']['state']> | null

/** The name of an entry; a page that is opened again in the same entry has the same one. */
export const nameOfEntry = (state: unknown): string | undefined => (state as Entry)?.__TSR_key
/** How many pages of this tab are before an entry's. */
export const pageOfEntry = (state: unknown): number | undefined => (state as Entry)?.__TSR_index

export type Method = 'pushState' | 'replaceState'
type Url = string | URL | null | undefined

/** Writes into the browser's history. */
export const writeEntry = (method: Method, state: unknown, url?: Url) => window.history[method](state, '', url)

type Watcher = {
  /** Takes what the router writes, and writes it. */
  write: (method: Method, state: unknown, url: Url) => void
  /** The browser is at another entry. @returns whether the router is to hear of it, and to load its page */
  pop: (state: unknown) => boolean
}
let watcher: Watcher | undefined
/** The router's listeners to "popstate". */
const listeners = new Set<(event: PopStateEvent) => void>()

const onPop = (event: PopStateEvent) => {
  if (watcher && !watcher.pop(event.state)) return
  for (const listener of listeners) listener(event)
}

/** Puts `next` between the router and the browser's history. @returns a function that ends it */
export const watchHistory = (next: Watcher) => {
  watcher = next
  window.addEventListener('popstate', onPop)
  return () => {
    watcher = undefined
  }
}

let ofRouter: Pick<History, 'replaceState'> | undefined

/** Replaces the address of the page, for code without the router: the router, if there is one, hears of it. */
export const replaceAddress = (url: string) => (ofRouter ?? window.history).replaceState(null, '', url)

/**
 * The window as the router's history sees it (`createBrowserHistory({ window: routerWindow() })`): the browser's, with a
 * watcher in between while there is one. The history of the page's own window stays as it is.
 */
export const routerWindow = () => {
  const own = window.history
  const write =
    (method: Method): History[Method] =>
    (state, _unused, url) =>
      (watcher?.write ?? writeEntry)(method, state, url)
  window.addEventListener('popstate', onPop)
  const history = {
    get state(): unknown {
      return own.state
    },
    get length() {
      return own.length
    },
    pushState: write('pushState'),
    replaceState: write('replaceState'),
    go: (steps?: number) => own.go(steps),
    back: () => own.back(),
    forward: () => own.forward(),
  }
  ofRouter = history
  return {
    document,
    location: window.location,
    history,
    addEventListener: (name: string, listener: (event: Event) => void, options?: AddEventListenerOptions) => {
      if (name === 'popstate') listeners.add(listener)
      else window.addEventListener(name, listener, options)
    },
    removeEventListener: (name: string, listener: (event: Event) => void, options?: EventListenerOptions) => {
      if (name === 'popstate') listeners.delete(listener)
      else window.removeEventListener(name, listener, options)
    },
  }
}
