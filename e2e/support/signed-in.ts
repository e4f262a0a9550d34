import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { browserOf, PASSWORD, storeState } from './people.ts'
import type { Server } from './server.ts'
import { officeState } from './storage.ts'

/** A browser with the storage of a signed-in account, and `stored` added to it. */
export const signedIn = async (
  browser: Browser,
  server: Server,
  username: string,
  { stored = {}, ...options }: BrowserContextOptions & { stored?: Record<string, string> } = {},
): Promise<Page> => {
  const page = await browserOf(browser, server, options)
  await storeState(page, await officeState({ url: server.url, stored }, username, PASSWORD))
  return page
}

/** Stops the page’s clock, which `page.clock.install()` has replaced: from here on only `runFor` advances it. */
export const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)
