/// <reference lib="dom" />
import { type Browser, expect, type Page, test } from '@playwright/test'
import { languages } from '@tallyroom/locales'
import { faultsOf } from '../../support/page/axe.ts'
import { signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { watchForInjection } from '../../support/hostile.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  signInMember,
  PASSWORD,
  phone,
  expectCleanConsole,
  signIn,
  t,
  messageLog,
  write,
} from '../../support/people.ts'
import { plant } from '../../support/planted.ts'
import { isLong, LONG } from '../../support/long.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  // With a gateway, which nothing here calls, a forgotten password can be recovered.
  server = await startJourneyServer({ env: { SMS_URL: 'https://sms.example' } })
  await addAccount(server, 'agent', 'faye', { credit: '500' })
  await addAccount(server, 'cs', 'cleo', { under: 'faye' })
  const faye = await clientOf(server.url, 'faye', PASSWORD)
  await memberOf(server.url, (await faye.call('user/view', {})).share_code, 'gusfirst')
  const { stored, left } = await plant(server, 'gusfirst')
  expect(left).toEqual([])
  expect(stored).toBeGreaterThan(1500)
})
test.afterAll(() => server.remove())

const inTheme = async (page: Page, colorScheme: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  // Even short colour transitions must end first, also those of elements that inherit the colour.
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
}
/** For each page the check that no planted text has run. */
const injectionChecks = new Map<Page, () => Promise<void>>()
const visitor = async (browser: Browser, options = {}) => {
  const page = await browserOf(browser, server, options)
  injectionChecks.set(page, watchForInjection(page))
  return page
}
type Theme = 'light' | 'dark'
/** The short run checks each kind of page once, in light mode. */
const themesFor = (isExamined: boolean): Theme[] => (isLong ? ['light', 'dark'] : isExamined ? ['light'] : [])
/** All rules in light mode; in dark mode only the colours, because nothing else differs. */
const look = async (page: Page, where: string, themes: Theme[]) => {
  await expect(page.getByRole('main')).not.toBeEmpty()
  await expect(page.locator('[aria-busy=true], .opening, .bar')).toHaveCount(0)
  await injectionChecks.get(page)?.()
  const found: string[] = []
  for (const theme of themes) {
    await inTheme(page, theme)
    const faults = await faultsOf(
      page,
      theme === 'light' ? {} : { runOnly: { type: 'rule', values: ['color-contrast'] } },
    )
    found.push(...faults.map((fault) => `${where} ${theme}: ${fault}`))
  }
  return found
}
/** Every page of the account’s menu, then those of the conversations. */
const office = async (page: Page, name: string, isExamined: (path: string) => boolean) => {
  const found: string[] = []
  const links = page.getByRole('navigation', { name: t('shell.menu') }).getByRole('link')
  await expect(links).not.toHaveCount(0)
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  for (const path of paths.filter((each) => each !== '/chat')) {
    const link = links.and(page.locator(`[href="${path}"]`))
    await link.click()
    // The address changes at once, the title only with the page.
    const title = `${await link.locator('.side-word').innerText()} · ${t('product.name')}`
    // Before it the number of unread rooms, which may change.
    await expect.poll(async () => (await page.title()).endsWith(title)).toBe(true)
    found.push(...(await look(page, `${name} ${path}`, themesFor(isExamined(path)))))
  }
  for (const path of ['/chat/messaging', '/chat/hide', '/chat/contact', '/rights']) {
    await page.goto(path)
    found.push(...(await look(page, `${name} ${path}`, themesFor(isExamined(path)))))
  }
  return found
}

/** The first conversation of the list, and the notes about its member. */
const inRoom = async (page: Page, name: string) => {
  await page.goto('/chat/messaging')
  await page
    .getByRole('region', { name: t('chat.rooms') })
    .getByRole('listitem')
    .first()
    .getByRole('link')
    .click()
  await expect(messageLog(page).getByText('ran=6').first()).toBeVisible()
  return look(page, `${name} room`, themesFor(true))
}
const inNotes = async (page: Page, name: string) => {
  await page.locator('a[href*="/noteTitle/"]:not([target])').first().click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText(t('note.notebook'))
  const titles = await look(page, `${name} notes`, themesFor(true))
  await page
    .getByRole('button', { name: t('note.description') })
    .first()
    .click()
  await expect(heading).not.toContainText(t('note.notebook'))
  return [...titles, ...(await look(page, `${name} note`, themesFor(true)))]
}

/** The forms for a forgotten password: the username, then the code. */
const recovery = async (page: Page, path: string) => {
  await page.goto(path)
  await page.getByRole('button', { name: t('recover.title') }).click()
  const found = await look(page, `${path} forgotten`, themesFor(true))
  await page.getByLabel(t('recover.username')).fill('nobody')
  await page.getByRole('button', { name: t('recover.send') }).click()
  await expect(page.getByLabel(t('recover.code'))).toBeVisible()
  return [...found, ...(await look(page, `${path} code`, themesFor(true)))]
}

/** The views of the member's own sheet. */
const inSheet = async (page: Page) => {
  const found: string[] = []
  await page.getByRole('button', { name: t('member.menu') }).click()
  found.push(...(await look(page, 'sheet', themesFor(true))))
  for (const title of ['member.password', 'recover.own_title', 'passkey.title', 'sessions.title'] as const) {
    await page.getByRole('button', { name: new RegExp(`^${t(title)}`) }).click()
    await expect(page.getByRole('heading', { name: t(title) })).toBeVisible()
    await expect(page.getByText(t('chat.loading'))).toHaveCount(0)
    found.push(...(await look(page, `sheet ${title}`, themesFor(true))))
    await page.getByRole('button', { name: t('action.back'), exact: true }).click()
  }
  return found
}

/** The dialogs of the second factor. */
const inFactors = async (page: Page, name: string) => {
  await page.goto('/setup/self')
  await page.getByRole('button', { name: `${t('security.set_up')}: ${t('security.phone_new')}` }).click()
  await expect(page.getByRole('dialog').getByLabel(t('security.phone_new'))).toBeVisible()
  const found = await look(page, `${name} phone`, themesFor(true))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t('security.set_up_authenticator') }).click()
  await page.getByRole('dialog').getByLabel(t('payment.login_password')).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(t('security.shown_code'))).toBeVisible()
  return [...found, ...(await look(page, `${name} authenticator`, themesFor(true)))]
}

/** Pages that only the top account has. */
const ADMIN_PAGES = ['/audit', '/installation', '/person', '/file', '/report/reconciliation', '/setup/system']

test(
  '[SHELL-06] [S16] outside, the top account and the member: hostile texts are only text, and axe finds nothing',
  LONG,
  async ({ browser }) => {
    const out = await visitor(browser)
    const admin = await visitor(browser)
    const gus = await visitor(browser, phone)
    const found: string[] = []
    for (const path of ['/login', '/404', '/403', '/500', '/m', '/Signup/none']) {
      await out.goto(path)
      found.push(...(await look(out, path, themesFor(true))))
    }
    for (const path of ['/login', '/m']) found.push(...(await recovery(out, path)))
    await signInMember(gus, 'gusfirst')
    await write(gus, 'hello')
    await expect(messageLog(gus).getByText('hello')).toBeVisible()
    found.push(...(await look(gus, 'member', themesFor(true))))
    found.push(...(await inSheet(gus)))
    await signIn(admin, 'admin', server.password)
    found.push(...(await office(admin, 'admin', (path) => ADMIN_PAGES.includes(path))))
    expect([...new Set(found)]).toEqual([])
    // /404 is answered with that status.
    expectCleanConsole(out, /status of 404/)
    for (const page of [admin, gus]) expectCleanConsole(page)
  },
)

test('[SHELL-06] [S16] the same for every page of an agent', LONG, async ({ browser }) => {
  const page = await visitor(browser)
  await signIn(page, 'faye', PASSWORD)
  const found = [...(await office(page, 'faye', () => true)), ...(await inRoom(page, 'faye'))]
  found.push(...(await inFactors(page, 'faye')))
  expect([...new Set(found)]).toEqual([])
  expectCleanConsole(page)
})

test('[SHELL-06] [S16] the same for every page of customer service, with a notebook', LONG, async ({ browser }) => {
  const page = await visitor(browser)
  await signIn(page, 'cleo', PASSWORD)
  const found = [...(await office(page, 'cleo', () => false)), ...(await inRoom(page, 'cleo'))]
  found.push(...(await inNotes(page, 'cleo')))
  expect([...new Set(found)]).toEqual([])
  expectCleanConsole(page)
})

for (const language of isLong ? languages : (['my'] as const))
  test(`[SHELL-06] [I18N-01] contrast in ${language}`, LONG, async ({ browser }) => {
    const page = await visitor(browser)
    await page.addInitScript((to) => localStorage.setItem('locale', to), language)
    await signIn(page, 'faye', PASSWORD)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    const links = page.locator('.side a[href^="/"]')
    await expect(links).not.toHaveCount(0)
    const menu = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    const found: string[] = []
    for (const path of isLong ? menu : ['/index', '/user', '/chat/messaging']) {
      await page.goto(path)
      found.push(...(await look(page, `${path} ${language}`, isLong ? ['light', 'dark'] : ['dark'])))
    }
    expect([...new Set(found)]).toEqual([])
    expectCleanConsole(page)
  })
