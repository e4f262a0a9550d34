import { expect, test } from '@playwright/test'
import { OK } from '@tallyroom/contract'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, expectCleanConsole, signIn, signInByForm, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'cs', 'help1', { under: 'dora' })
})
test.afterAll(() => server.remove())

test('[GUARD-01] without a token every page goes to /login, which is in English by default', async ({ browser }) => {
  const page = await browserOf(browser, server)
  for (const path of ['/', '/index', '/user', '/chat/messaging', '/transaction/list/ann', '/report/sr02']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login/)
    // The sign-in page loads itself once more before it shows anything, and would cut the next `goto` short.
    await expect(page.getByRole('heading', { name: 'Customer Service' })).toBeVisible()
  }
  expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('en')
  expectCleanConsole(page)
})

test('[AUTH-13] [AUTH-11] [WIRE-09] the sign-in page, a wrong password, and signing out', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Customer Service' })).toBeVisible()
  await page.getByLabel('Login', { exact: true }).fill('dora')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  const button = page.getByRole('button', { name: 'Login' })
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('alert')).toContainText('The username or password is wrong.')
  await expect(page.getByLabel('Login', { exact: true })).toHaveValue('dora')
  await signInByForm(page, 'dora', PASSWORD)
  await page.getByRole('button', { name: t('shell.user_menu', { name: 'dora' }) }).click()
  await page.getByRole('menuitem', { name: t('shell.logout') }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Logout successfully.')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('user_')))).toEqual([])
})

test('[AUTH-02] after an agent login, /login only asks to sign in again through the agent back office', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await page.addInitScript(() => localStorage.setItem('agent_login', '1'))
  await page.goto('/login')
  await expect(page.getByText('Please re-login to the agent backend')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
})

test('[GUARD-02] [GUARD-03] [GUARD-05] [GUARD-06] [GUARD-08] pages outside the menu, unknown pages and the error pages', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'help1', PASSWORD)
  const auth = page.waitForRequest('**/api/userMenu/auth')
  await page.goto('/chat')
  await auth
  await expect(page).toHaveURL(/\/chat\/messaging$/)
  for (const path of ['/agent', '/customer_service', '/report/sr02', '/']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/index$/)
  }
  await page.goto('/transaction/list/ann')
  await expect(page).toHaveURL(/\/transaction\/list\/ann$/)
  for (const [path, words] of [
    ['/no/such/page', 'Sorry, page not found'],
    ['/404', 'Sorry, page not found'],
    ['/403', 'Sorry, access denied.'],
    ['/forbidden', 'Sorry, access denied.'],
    ['/500', 'Sorry, the server is down.'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(words)).toBeVisible()
  }
  await page
    .getByRole('link', { name: 'Go Home' })
    .or(page.getByRole('button', { name: 'Go Home' }))
    .click()
  await expect(page).toHaveURL(/\/index$/)
  // The browser names an address that was answered with 404.
  expectCleanConsole(page, /status of 404/)
})

test('[GUARD-03] [CONV-01] the next chat page opens before the server has allowed it, and a refusal still leads to /forbidden', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'help1', PASSWORD, '/chat/messaging')
  await expect(page.getByRole('region', { name: t('chat.rooms') })).toBeVisible()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/userMenu/auth', async (route) => {
    await asked
    await route.fulfill({ json: { code: OK, message: '', data: { allowed: false } } })
  })
  await page
    .getByRole('navigation', { name: t('chat.menu') })
    .getByRole('link', { name: t('chat.hidden_short') })
    .click()
  await expect(page.getByRole('region', { name: t('chat.hidden') })).toBeVisible()
  answer()
  await expect(page).toHaveURL(/\/forbidden$/)
  expectCleanConsole(page)
})

test('[AUTH-12] signing in to another account in another tab reloads this one', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'help1', PASSWORD)
  const other = await page.context().newPage()
  const reloaded = page.waitForEvent('load')
  await signInByForm(other, 'dora', PASSWORD)
  await reloaded
  await expect(page.getByRole('button', { name: t('shell.user_menu', { name: 'dora' }) })).toBeVisible()
})
