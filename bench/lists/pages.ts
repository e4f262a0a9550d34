import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from '@playwright/test'
import en from '../../locales/en.ts'
import { isQuick } from '../lib/rounds.ts'
import { quantile } from '../lib/stats.ts'

/** A page that leads to the list, before its menu item is clicked. */
export type ListPage = { page: Page; address: string; link: Locator; filter: Locator }

const newPage = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript({ path: fileURLToPath(new URL('watch.js', import.meta.url)) })
  return page
}

export const openTallyroom = async (browser: Browser, url: string, password: string): Promise<ListPage> => {
  const page = await newPage(browser)
  await page.goto(`${url}/login`)
  await page.getByLabel(en['session.login'], { exact: true }).fill('admin')
  await page.getByLabel(en['session.password'], { exact: true }).fill(password)
  await page.getByRole('button', { name: en['session.enter'], exact: true }).click()
  await page.getByRole('navigation', { name: en['shell.menu'] }).waitFor()
  return {
    page,
    address: `${url}/index`,
    link: page.getByRole('link', { name: en['menu.user'] }),
    filter: page.getByRole('textbox', { name: en['account.username'] }),
  }
}

export const openPlain = async (browser: Browser, url: string): Promise<ListPage> => {
  const page = await newPage(browser)
  return { page, address: url, link: page.getByRole('link'), filter: page.getByRole('textbox') }
}

/** Text that is typed and then deleted, so that each keystroke changes the first row. */
const TYPED = isQuick ? ['473'] : ['473', '918', '256', '604']

/** Opens the list by its menu item and types into its filter, once. */
export const useList = async ({ page, address, link, filter }: ListPage, usernames: string[]) => {
  const firstWith = (part: string) => usernames.find((name) => name.includes(part)) ?? ''
  const timed = async (event: string, expected: string, action: () => Promise<void>) => {
    // Awaited before the action: key presses reach the page on another channel and could overtake it.
    await page.evaluate(`watch('${event}', '${expected}')`)
    await action()
    return page.evaluate<number>('painted')
  }
  await page.goto(address)
  await link.waitFor()
  // The page's own work after loading does not belong to the list.
  await page.waitForLoadState('networkidle')
  const opened = await timed('click', firstWith(''), () => link.click())
  const whole = Math.max(opened, await page.evaluate<number>('whole()'))

  const keystrokes: number[] = []
  const press = async (key: string, typed: string) => {
    await page.waitForTimeout(100)
    keystrokes.push(await timed('keydown', firstWith(typed), () => page.keyboard.press(key)))
  }
  await filter.click()
  for (const text of TYPED) {
    for (let length = 1; length <= text.length; length++) await press(text[length - 1] ?? '', text.slice(0, length))
    for (let length = text.length - 1; length >= 0; length--) await press('Backspace', text.slice(0, length))
  }
  return { opened, whole, keyP50: quantile(keystrokes, 0.5), keyP95: quantile(keystrokes, 0.95) }
}
