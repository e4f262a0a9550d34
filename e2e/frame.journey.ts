/// <reference lib="dom" />
import { expect, test } from '@playwright/test'
import { accents } from '../web/src/theme/look.ts'
import { account, browserOf, PASSWORD, phone, quiet, signIn, t } from './people.ts'
import { type Server, startServer } from './server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startServer()
  await account(server, 'add', 'agent', 'fay', '--under', 'admin', '--password', PASSWORD, '--credit', '500')
})
test.afterAll(() => server.remove())

test('[SHELL-05] nine colours, dark or light sidebar, remembered', async ({ browser }) => {
  const page = await browserOf(browser, server, { colorScheme: 'light' })
  await signIn(page, 'fay', PASSWORD)
  const open = () => page.getByRole('button', { name: t('theme.title') }).click()
  const drawer = page.getByRole('dialog', { name: t('theme.title') })
  const look = () =>
    page.evaluate(() => {
      const styleOf = (element: Element | null) => getComputedStyle(element ?? document.body)
      return {
        accent: styleOf(document.documentElement).getPropertyValue('--accent').trim(),
        side: styleOf(document.querySelector('.side')).backgroundColor,
        page: styleOf(document.documentElement).backgroundColor,
      }
    })
  const before = await look()
  await open()
  await expect(drawer).toBeInViewport({ ratio: 1 })
  const box = await drawer.boundingBox()
  expect(Math.round((box?.x ?? 0) + (box?.width ?? 0))).toBe(1440)
  const seen = new Set<string>()
  for (const accent of accents) {
    await drawer.getByLabel(t(`theme.${accent}`), { exact: true }).check()
    seen.add((await look()).accent)
  }
  expect(seen.size).toBe(9)
  await drawer
    .getByRole('group', { name: t('theme.side') })
    .getByLabel(t('theme.as_dark'))
    .check()
  const darkSide = await look()
  expect(darkSide.side).not.toBe(before.side)
  expect(darkSide.page).toBe(before.page)
  await page.screenshot({ path: 'test-results/frame-theme.png' })
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('button', { name: t('theme.title') })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('navigation', { name: t('shell.menu') })).toBeVisible()
  expect(await look()).toEqual(darkSide)
  // The look of the device, and one that is chosen against it.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await open()
  await page.screenshot({ path: 'test-results/frame-theme-dark.png' })
  await drawer
    .getByRole('group', { name: t('theme.look') })
    .getByLabel(t('theme.as_light'))
    .check()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  quiet(page)
})

test('[SHELL-04] back to top appears after 300 px of scrolling', async ({ browser }) => {
  const page = await browserOf(browser, server, phone)
  await signIn(page, 'fay', PASSWORD)
  await page.goto('/setup/self')
  const top = page.getByRole('button', { name: t('shell.to_top') })
  const scroller = page.locator('.shell-main')
  await expect(page.getByLabel(t('account.nickname'))).toBeVisible()
  await scroller.evaluate((box) => box.scrollTo(0, 300))
  await expect.poll(() => scroller.evaluate((box) => box.scrollTop)).toBe(300)
  await expect(top).toHaveCount(0)
  await scroller.evaluate((box) => box.scrollTo(0, 301))
  await top.click()
  await expect.poll(() => scroller.evaluate((box) => box.scrollTop)).toBe(0)
  await expect(top).toHaveCount(0)
  quiet(page)
})
