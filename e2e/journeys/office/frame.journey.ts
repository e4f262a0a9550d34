/// <reference lib="dom" />
import { expect, test } from '@playwright/test'
import { accents } from '../../../web/src/theme/theme.ts'
import { addAccount } from '../../support/add-account.ts'
import { coveredBy } from '../../support/page/covered-by.ts'
import {
  browserOf,
  closedInHistory,
  PASSWORD,
  phone,
  expectCleanConsole,
  shareCode,
  signIn,
  signUp,
  t,
  messageLog,
  write,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'faye', { credit: '500' })
})
test.afterAll(() => server.remove())

test('[SHELL-05] nine colours, dark or light sidebar, remembered', async ({ browser }) => {
  const page = await browserOf(browser, server, { colorScheme: 'light' })
  await signIn(page, 'faye', PASSWORD)
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
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('button', { name: t('theme.title') })).toBeFocused()
  await closedInHistory(page)
  await page.reload()
  await expect(page.getByRole('navigation', { name: t('shell.menu') })).toBeVisible()
  expect(await look()).toEqual(darkSide)
  // The device’s theme, and one chosen against it.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await open()
  await drawer
    .getByRole('group', { name: t('theme.look') })
    .getByLabel(t('theme.as_light'))
    .check()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  expectCleanConsole(page)
})

test('[SHELL-04] back to top appears after 300 px of scrolling', async ({ browser }) => {
  const page = await browserOf(browser, server, phone)
  await signIn(page, 'faye', PASSWORD, '/setup/self')
  const top = page.getByRole('button', { name: t('shell.to_top') })
  const scroller = page.locator('.shell-main')
  await expect(page.getByLabel(t('account.nickname'))).toBeVisible()
  await scroller.evaluate((box) => box.scrollTo(0, 300))
  await expect.poll(() => scroller.evaluate((box) => box.scrollTop)).toBe(300)
  await expect(top).toHaveCount(0)
  await scroller.evaluate((box) => box.scrollTo(0, box.scrollHeight))
  // Nothing at the end of the page is below it.
  const button = await top.boundingBox()
  const ends = await page
    .locator('#main .card')
    .evaluateAll((all) => all.map((card) => card.getBoundingClientRect().bottom))
  expect(Math.max(...ends)).toBeLessThanOrEqual(button?.y ?? 0)
  await scroller.evaluate((box) => box.scrollTo(0, 301))
  await top.click()
  await expect.poll(() => scroller.evaluate((box) => box.scrollTop)).toBe(0)
  await expect(top).toHaveCount(0)
  expectCleanConsole(page)
})

test('[I18N-02] no icon has an English name, and a waiting button shows a spinner until its answer arrives', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'admin', server.password)
  // A name in a drawing would be read out in English, in every language. That of a QR code is translated.
  const named = page.locator('svg:not([aria-hidden="true"], .qr)')
  const links = page.getByRole('navigation', { name: t('shell.menu') }).getByRole('link')
  await expect(links).not.toHaveCount(0)
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const here = page.getByRole('navigation', { name: t('shell.here') })
  /** By the menu: loading each page again is most of this journey's work. */
  const go = async (path: string) => {
    const link = links.and(page.locator(`[href="${path}"]`))
    await link.click()
    // The address changes at once, the title only with the page.
    await expect(here).toContainText(await link.locator('.side-word').innerText())
  }
  // The chat has a menu of its own.
  const inMenu = paths.filter((path) => path !== '/chat')
  for (const path of [...inMenu, '/shareQRCode', '/rights', '/chat', '/chat/messaging', '/chat/contact']) {
    await (inMenu.includes(path) ? go(path) : page.goto(path))
    await expect(page.getByRole('main')).not.toBeEmpty()
    await expect(page.locator('[aria-busy=true], .opening, .bar')).toHaveCount(0)
    expect(await named.count(), path).toBe(0)
  }

  await page.goto('/customer_service')
  await page.getByRole('button', { name: t('account.add_customer_service') }).click()
  const dialog = page.getByRole('dialog')
  const password = dialog.getByRole('textbox', { name: t('account.password') }).first()
  await password.fill(PASSWORD)
  await dialog
    .getByRole('button', { name: t('field.show_password') })
    .first()
    .click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(dialog.getByRole('button', { name: t('action.close') })).toBeVisible()
  await expect(named).toHaveCount(0)

  await page.goto('/report/sr02')
  const search = page.getByRole('main').getByRole('button', { name: t('action.search'), exact: true })
  const turning = page.locator('button .spinner')
  await expect(turning).toHaveCount(0)
  let answer = () => {}
  const released = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/report/sr02', (route) => released.then(() => route.continue()))
  await search.click()
  await expect(turning).toBeVisible()
  await expect(named).toHaveCount(0)
  answer()
  await expect(turning).toHaveCount(0)
  expectCleanConsole(page)
})

test('[HOME-01] [SHELL-09] [I18N-01] the first page and the menu of each role', async ({ browser }) => {
  const admin = await browserOf(browser, server)
  await signIn(admin, 'admin', server.password)
  await addAccount(server, 'agent', 'gill', { under: 'faye', credit: '7' })
  const agent = await browserOf(browser, server)
  await signIn(agent, 'faye', PASSWORD)
  await addAccount(server, 'cs', 'cleo', { under: 'faye' })
  const cleo = await browserOf(browser, server)
  await signIn(cleo, 'cleo', PASSWORD)
  const main = agent.getByRole('main')
  const least = main.getByRole('region', { name: t('home.least_left') })
  await agent.reload()
  await expect(least.getByRole('listitem')).toHaveText([/gill.*7\.00/s])
  // A member writes, and the page shows it without a reload.
  const gus = await browserOf(browser, server, phone)
  await signUp(gus, shareCode(agent), 'gusfirst')
  await write(gus, 'anybody there?')
  const waiting = main.getByRole('region', { name: t('home.waiting') })
  await expect(waiting.getByRole('link', { name: /gusfirst/ })).toContainText('anybody there?')
  await expect(waiting.getByRole('link', { name: /gusfirst/ })).toContainText(/\d+:\d\d/)
  for (const [label, address] of [
    ['home.waiting', '/chat/messaging'],
    ['home.open_envelopes', '/transaction/list?type=2'],
    ['home.in_today', '/report/sr02'],
    ['home.out_today', '/report/sr02'],
  ] as const) {
    const tile = main.getByRole('link', { name: new RegExp(`^${t(label)}`) })
    expect(await tile.getAttribute('href')).toBe(address)
  }
  await waiting.getByRole('link', { name: /gusfirst/ }).click()
  await expect(messageLog(agent).getByText('anybody there?')).toBeVisible()

  // The menu names of the specification, for the roles that have the pages.
  const everybody = ['home', 'chat', 'user', 'quick_replies', 'transaction_log', 'my_settings'] as const
  const heads = [...everybody, 'agent', 'customer_service', 'sr02', 'desk', 'system_settings', 'api_doc'] as const
  await agent.goto('/index')
  for (const [page, names, others] of [
    [admin, [...heads, 'technical_files'], ['customer_service_chat']],
    [agent, [...heads, 'customer_service_chat'], ['technical_files']],
    [cleo, everybody, ['agent', 'sr02', 'desk', 'system_settings', 'customer_service_chat']],
  ] as const) {
    const menu = page.getByRole('navigation', { name: t('shell.menu') })
    for (const name of names)
      await expect(menu.getByRole('link', { name: new RegExp(`^${t(`menu.${name}`)}`) })).toBeVisible()
    for (const name of others) await expect(menu.getByRole('link', { name: t(`menu.${name}`) })).toHaveCount(0)
  }
  for (const page of [admin, agent, cleo, gus]) expectCleanConsole(page)
})

test('[SHELL-07] a snackbar covers no control of an office page', async ({ browser }) => {
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [1024, 768],
    [390, 844],
  ] as const) {
    const page = await browserOf(browser, server, { viewport: { width, height } })
    await signIn(page, 'faye', PASSWORD, '/setup/self')
    await page.getByLabel(t('account.nickname')).fill(`Faye ${width}`)
    await page
      .getByRole('button', { name: t('action.save') })
      .first()
      .click()
    const snackbar = page.locator('.snackbar')
    await expect(snackbar).toHaveText(t('done.saved'))
    expect(await snackbar.evaluate(coveredBy)).toEqual([])
    await expect(snackbar).toBeInViewport({ ratio: 1 })
    expectCleanConsole(page)
  }
})
