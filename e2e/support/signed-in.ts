import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { signIn } from './client.ts'
import { browserOf, PASSWORD, still } from './people.ts'
import type { Server } from './server.ts'

/** A browser that is signed in already: its storage is that of a sign-in, with `stored` added. */
export const signedIn = async (
  browser: Browser,
  server: Server,
  username: string,
  { stored = {}, ...options }: BrowserContextOptions & { stored?: Record<string, string> } = {},
): Promise<Page> => {
  const client = await signIn(server.url, username, PASSWORD)
  const own = await client.call('user/view', {})
  const kept = {
    locale: 'en',
    user_token: client.token ?? '',
    user_id: String(own.id),
    user_nickname: own.nickname || own.username,
    role_id: String(own.role_id),
    share_code: own.share_code,
    ...stored,
  }
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }))
  const storageState = { cookies: [], origins: [{ origin: server.url, localStorage }] }
  return browserOf(browser, server, { ...still, storageState, ...options })
}

/** Stops the page's clock, which `page.clock.install()` has made ours: from here on `runFor` alone moves it. */
export const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)
