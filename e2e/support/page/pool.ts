/// <reference lib="dom" />
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'

/** The options of a context that a page can be given again: a page made with any other is used once. */
const RENEWABLE = new Set(['baseURL', 'viewport', 'hasTouch', 'isMobile', 'colorScheme', 'reducedMotion'])
/** What journeys listen to. Playwright has listeners of its own to other events of a page. */
const HEARD = ['console', 'pageerror', 'request', 'framenavigated', 'dialog'] as const
/**
 * Pages that earlier journeys have left, by the options of their contexts. A new one costs a third of a second of a
 * processor, and compiles every script again.
 */
const idle = new Map<string, Page[]>()
/** The options of a page's context; undefined for a page that is not used again. */
const kinds = new WeakMap<Page, string | undefined>()

const kindOf = (options: BrowserContextOptions) =>
  Object.keys(options).every((name) => RENEWABLE.has(name)) ? JSON.stringify(options) : undefined

/** A script for every page, a route of sockets, a clock that is replaced and a session with the browser stay. */
const retireWhenChanged = (page: Page) => {
  const retireBy = <T extends object>(owner: T, ...names: (keyof T)[]) => {
    for (const name of names) {
      const change = owner[name] as (...given: unknown[]) => unknown
      owner[name] = ((...given: unknown[]) => {
        kinds.set(page, undefined)
        return change.apply(owner, given)
      }) as T[keyof T]
    }
  }
  retireBy(page, 'addInitScript', 'routeWebSocket')
  retireBy(page.clock, 'install')
  retireBy(page.context(), 'addInitScript', 'newCDPSession', 'setStorageState')
}

/** Empties its storage, which only a page of that origin can, and makes the device look as it did. */
const renew = async (page: Page, { viewport, colorScheme, reducedMotion }: BrowserContextOptions) => {
  const context = page.context()
  await context.clearCookies()
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? 'light',
    reducedMotion: reducedMotion ?? 'no-preference',
    forcedColors: null,
    contrast: null,
  })
  // Has no scripts, which would write to the storage again.
  await page.goto('/icon-dot.svg')
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
    for (const name of await caches.keys()) await caches.delete(name)
  })
  await page.goto('about:blank')
}

/** A page for a journey, new or as good as new. */
export const takePage = async (browser: Browser, options: BrowserContextOptions): Promise<Page> => {
  const kind = kindOf(options)
  const used = kind === undefined ? undefined : idle.get(kind)?.pop()
  if (used) {
    await renew(used, options)
    return used
  }
  const context = await browser.newContext(options)
  const page = await context.newPage()
  kinds.set(page, kind)
  retireWhenChanged(page)
  return page
}

/** Takes away what a journey set on its page; throws when the page does not come to rest. */
const rest = async (page: Page) => {
  for (const event of HEARD) page.removeAllListeners(event)
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('about:blank', { timeout: 5000 })
}

/**
 * Keeps the page of a journey that is over for another one, or closes it. A page left where it is would keep its socket
 * and slow down all later tests.
 */
export const leavePage = async (page: Page) => {
  const kind = kinds.get(page)
  if (kind !== undefined) {
    try {
      await rest(page)
      const waiting = idle.get(kind)
      if (waiting) waiting.push(page)
      else idle.set(kind, [page])
      return
    } catch {
      // Closed by its journey, or on its way to another address.
    }
  }
  await page.context().close()
}
