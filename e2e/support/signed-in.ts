import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { browserOf, PASSWORD, still } from './people.ts'
import type { Server } from './server.ts'
import { officeState } from './storage.ts'

/** A browser that is signed in already: its storage is that of a sign-in, with `stored` added. */
export const signedIn = async (
  browser: Browser,
  server: Server,
  username: string,
  { stored = {}, ...options }: BrowserContextOptions & { stored?: Record<string, string> } = {},
): Promise<Page> => {
  const storageState = await officeState({ url: server.url, stored }, username, PASSWORD)
  return browserOf(browser, server, { ...still, storageState, ...options })
}

/** Stops the page's clock, which `page.clock.install()` has made ours: from here on `runFor` alone moves it. */
export const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)
