/// <reference lib="dom" />
import { expect, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import { expectAccessible } from '../../support/page/axe.ts'
import { overflows } from '../../support/page/overflow.ts'
import { browserOf, expectCleanConsole, PASSWORD, phone, signIn, t } from '../../support/people.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'gwen')
})
test.afterAll(() => server.remove())

test('[RUN-15] Help of the account menu opens the guides, in the theme of the back office', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'gwen', PASSWORD)
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.getByRole('button', { name: /^Account of/ }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('menuitem', { name: t('menu.help') }).click()
  const guides = await opened
  await expect(guides.getByRole('heading', { level: 1, name: 'Guides' })).toBeVisible()
  expect(await guides.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  await guides.close()
})

test('[RUN-15] [S17] without an account the guides are read and searched under the policy of all pages', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, { colorScheme: 'dark' })
  const answer = await page.goto('/docs')
  expect(new URL(page.url()).pathname).toBe('/docs/')
  const { 'content-security-policy': policy, 'permissions-policy': permissions } = answer?.headers() ?? {}
  expect(policy).toContain("; style-src 'self';")
  expect(policy).toContain("script-src 'self';")
  expect(permissions).toContain('microphone=()')
  const menu = page.locator('.docs-menu')
  await menu.getByRole('link', { name: 'Customer service' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Customer service' })).toBeVisible()
  await expect(menu.locator('[aria-current=page]')).toHaveText('Customer service')
  await expectAccessible(page)
  await page.keyboard.press('/')
  await page.keyboard.type('ＲＥＳＴＯＲＥ second directory')
  await page.locator('.docs-found a').first().waitFor()
  // An input method that confirms a word, as Chromium and as Safari says it.
  for (const composed of [{ isComposing: true }, { keyCode: 229 }])
    for (const key of ['Enter', 'Escape', 'ArrowDown'])
      await page.getByRole('searchbox').dispatchEvent('keydown', { key, ...composed })
  await expect(page.getByRole('searchbox')).toBeFocused()
  await expect(page.locator('.docs-found')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/guides/administrators.html#restore-in-a-second-directory')
  await page.getByRole('searchbox').fill('xyzzy')
  await expect(page.getByRole('status')).toHaveText('Nothing found for “xyzzy”.')
  await page.keyboard.press('Escape')
  await expect(page.locator('.docs-found')).toBeHidden()
  expectCleanConsole(page)
})

test('[RUN-15] every page of the guides fits a phone, and shows its pictures', async ({ browser }) => {
  test.setTimeout(300_000)
  const page = await browserOf(browser, server, phone)
  await page.goto('/docs/')
  const links = await page
    .locator('.docs-menu a')
    .evaluateAll((all) => all.map((link) => (link instanceof HTMLAnchorElement ? link.href : '')))
  expect(links.length).toBeGreaterThan(20)
  for (const link of links) {
    await page.goto(link)
    expect([link, await overflows(page)]).toEqual([link, []])
  }
  await page.goto('/docs/screens.html')
  const pictures = await page.locator('main img').all()
  for (const picture of pictures) {
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  }
  await page.getByText('Pages', { exact: true }).click()
  await page.locator('.docs-fold').getByRole('link', { name: 'Trouble' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Trouble' })).toBeVisible()
  expectCleanConsole(page)
})
