/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { account, browserOf, expectCleanConsole, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'landy')
})
test.afterAll(() => server.remove())

/** The sign-in link printed by `npm run account`, and its token. */
const linkFor = async (command: 'agent-token' | 'landing-token', name: string) => {
  const printed = await account(server, command, name)
  const { pathname, search } = new URL(/https?:\S+/.exec(printed)?.[0] ?? '')
  return { pathname, search, token: /agentToken=([^&]+)/.exec(search)?.[1] ?? pathname.split('/')[2] ?? '' }
}
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

for (const path of ['/AgentLogin', '/AutoLogin']) {
  test(`[AUTH-10] [AUTH-11] [AUTH-02] ${path} signs in by the token, strips it, hides logout`, async ({ browser }) => {
    const page = await browserOf(browser, server)
    const { search, token } = await linkFor('agent-token', 'landy')
    await page.route('**/api/login', async (route) => {
      // Before the call the address no longer has the token, and the page says that it is loading.
      expect(page.url()).toBe(`${server.url}${path}`)
      await expect(page.getByText('Loading...')).toBeVisible()
      await route.continue()
    })
    await page.goto(path + search)
    await page.waitForURL('**/index')
    expect(await stored(page, 'agent_login')).toBe('1')
    await page.getByRole('button', { name: t('shell.user_menu', { name: 'landy' }) }).click()
    await expect(page.getByRole('menuitem', { name: t('menu.settings') })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: t('shell.logout') })).toHaveCount(0)
    // At the start of the next page: the open one would go to the sign-in page by itself, and cut `goto` short.
    await page.addInitScript(() => window.location.pathname === '/index' && localStorage.setItem('user_token', 'over'))
    await page.goto('/index')
    await expect(page.getByText('Please re-login to the agent backend')).toBeVisible()
    await page.goBack().catch(() => undefined)
    expect(page.url()).not.toContain(token)

    // The same link again, in another browser.
    const other = await browserOf(browser, server)
    await other.goto(path + search)
    await expect(other.getByRole('alert')).toHaveText(`Error: ${t('session.link_over')}`)
    expect(await stored(other, 'user_token')).toBeNull()
    expect(other.url()).toBe(`${server.url}${path}`)
  })
}

test('[AUTH-10] a link opened twice at once signs in one browser and tells the other that it is used up', async ({
  browser,
}) => {
  const { pathname, search } = await linkFor('agent-token', 'landy')
  const pages = [await browserOf(browser, server), await browserOf(browser, server)]
  await Promise.all(pages.map((page) => page.goto(pathname + search)))
  const outcomes = await Promise.all(
    pages.map(async (page) => {
      const over = page.getByRole('alert').filter({ hasText: `Error: ${t('session.link_over')}` })
      await expect(over.or(page.getByText(t('home.hello', { name: 'landy' })))).toBeVisible()
      return (await stored(page, 'user_token')) ? 'in' : 'over'
    }),
  )
  expect(outcomes.sort()).toEqual(['in', 'over'])
})

for (const form of ['path', 'query'] as const) {
  test(`[AUTH-09] /WebLogin with token and customerID in the ${form}`, async ({ browser }) => {
    const page = await browserOf(browser, server)
    const { pathname, token } = await linkFor('landing-token', 'landy')
    const customer = pathname.split('/')[3] ?? ''
    const addresses: string[] = []
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    const began = Date.now()
    await page.goto(form === 'path' ? pathname : `/WebLogin?token=${token}&customerID=${customer}`)
    await page.waitForURL('**/index')
    expect(addresses[1]).toBe(`${server.url}/WebLogin`)
    expect(Date.now() - began).toBeGreaterThan(1000)
    expect(await stored(page, 'user_id')).toBe(customer)
    expect(await stored(page, 'user_token')).toBeTruthy()
    expect(await stored(page, 'agent_login')).toBe('0')
    expectCleanConsole(page)
  })
}

test('[AUTH-09] [AUTH-10] a landing page without its token says so', async ({ browser }) => {
  const page = await browserOf(browser, server)
  for (const path of ['/WebLogin', '/AgentLogin?agentUsername=landy']) {
    await page.goto(path)
    await expect(page.getByRole('alert')).toHaveText(`Error: ${t('landing.incomplete')}`)
  }
})
