/// <reference lib="dom" />
import { TransferKind } from '@tallyroom/contract/codes'
import { errors } from '@tallyroom/contract/errors'
import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, dialog, PASSWORD, t } from '../../support/people.ts'
import { type Client, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { signedIn, stopClock } from '../../support/signed-in.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

// The delays of the specification, measured with the page’s clock: the state just before and just after each.

let server: Server
let dora: Client
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '500' })
  dora = await clientOf(server.url, 'dora', PASSWORD)
})
test.afterAll(() => server.remove())

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('[AUTH-01] the Login button is busy for one second, however quick the answer', async ({ browser }) => {
  const page = await browserOf(browser, server)
  const refused = { code: errors['access.denied'], message: 'not you', data: null }
  await page.route('**/api/login', (route) => route.fulfill({ json: refused }))
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Login', { exact: true }).fill('dora')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await stopClock(page)
  const button = page.getByRole('button', { name: 'Login' })
  await button.click()
  await expect(page.getByRole('alert')).toHaveText(/not you/)
  await page.clock.runFor(999)
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await page.clock.runFor(1)
  await expect(button).toHaveAttribute('aria-busy', 'false')
})

test('[AUTH-03] /login reloads once with a hash, and is in English when no language is stored', async ({ browser }) => {
  for (const [kept, language] of [
    ['', 'en'],
    ['th', 'th'],
  ] as const) {
    const stored = kept ? [{ name: 'locale', value: kept }] : []
    const storageState = { cookies: [], origins: [{ origin: server.url, localStorage: stored }] }
    const page = await browserOf(browser, server, { locale: 'zh-TW', storageState })
    const loads: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && loads.push(new URL(request.url()).pathname))
    await page.goto('/login').catch(() => undefined)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.getByRole('button').first()).toBeVisible()
    expect(page.url()).toBe(`${server.url}/login#`)
    await page.waitForLoadState('networkidle')
    expect(loads).toEqual(['/login', '/login'])
    expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe(language)
  }
})

test('[SHELL-07] a snackbar is visible for three seconds', async ({ browser }) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await signedIn(browser, server, 'dora', { permissions })
  await page.clock.install()
  await page.goto('/index')
  await expect(page.getByRole('button', { name: t('shell.copy_link') })).toBeEnabled()
  await stopClock(page)
  await page.getByRole('button', { name: t('shell.copy_link') }).click()
  const snackbar = page.getByText('Copied Success:')
  await expect(snackbar).toBeVisible()
  await page.clock.runFor(2999)
  await expect(snackbar).toBeVisible()
  await page.clock.runFor(1)
  await expect(snackbar).toHaveCount(0)
})

/** Runs the stopped clock in small steps until the check passes, so that answers can arrive between the steps. */
const runUntil = (page: Page, isThere: () => Promise<void>) =>
  expect(async () => {
    await page.clock.runFor(10)
    await isThere()
  }).toPass({ intervals: [0] })

/** Records when the selector first matches, by the page’s clock. The returned function answers how many ms ago. */
const msSinceDrawn = async (page: Page, selector: string) => {
  await page.addInitScript((wanted) => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(wanted)) return
      Object.assign(window, { drawnAt: Date.now() })
      seen.disconnect()
    })
    seen.observe(document, { subtree: true, childList: true })
  }, selector)
  return () => page.evaluate(() => Date.now() - (window as unknown as { drawnAt: number }).drawnAt)
}

test('[SHELL-02] the avatar loads two seconds after the start', async ({ browser }) => {
  const { id } = await dora.call('user/view', {})
  await dora.call('user/edit', { id, thumbnail: `data:image/png;base64,${DOT}` })
  const page = await signedIn(browser, server, 'dora')
  const passed = await msSinceDrawn(page, '.user-button')
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  const viewed = page.waitForResponse('**/api/user/view')
  await page.goto('/index')
  const button = page.locator('.user-button')
  await runUntil(page, () => expect(button).toBeVisible({ timeout: 100 }))
  await (await viewed).finished()
  await page.clock.runFor(1990 - (await passed()))
  await expect(button.locator('img')).toHaveCount(0)
  await runUntil(page, () => expect(button.locator('img')).toHaveCount(1, { timeout: 200 }))
  expect(await passed()).toBeLessThan(2100)
})

/** A new member below dora, and the path of its room. */
const member = async (username: string) => {
  const { share_code } = await dora.call('user/view', {})
  const { id } = await memberOf(server.url, share_code, username)
  const room = (await dora.call('room/list', {})).data.find(({ member_id }) => member_id === id)
  return { id, path: `/chat/messaging/${room?.room_id}/${id}/${room?.code}` }
}
const setEventMode = (id: number) => dora.call('user/saveAbilities', { id, event_mode: 1 })
const EVENT_MODE = 'Activity mode forbids sending and receiving red envelopes'

test('[ENV-05] in event mode the points button is replaced by a lock 1.2 s after the room is opened', async ({
  browser,
}) => {
  const ben = await member('benlock')
  await setEventMode(ben.id)
  const page = await signedIn(browser, server, 'dora')
  const points = page.getByRole('button', { name: t('room.points') })
  const lock = page.getByRole('img', { name: EVENT_MODE })
  const passed = await msSinceDrawn(page, '[data-key=points]')
  await page.clock.install()
  await page.goto('/chat/messaging')
  const row = page.getByRole('region', { name: t('chat.rooms') }).getByRole('link', { name: 'benlock' })
  await expect(row).toBeVisible()
  await stopClock(page)
  await row.click()
  await runUntil(page, () => expect(points).toBeEnabled({ timeout: 100 }))
  await page.clock.runFor(1190 - (await passed()))
  await expect(points).toBeEnabled()
  await expect(lock).toHaveCount(0)
  await runUntil(page, () => expect(lock).toBeVisible({ timeout: 200 }))
  expect(await passed()).toBeLessThan(1250)
  await expect(points).toHaveCount(0)
  for (const type of [TransferKind.send, TransferKind.receive] as const) {
    const refused = { code: errors['transfer.event_mode'], message: EVENT_MODE }
    expect(await dora.ask('transaction/add', { member_id: ben.id, type, amount: '1' })).toMatchObject(refused)
  }
})

test('[ENV-05] an open points dialog checks event mode after 800 ms, and shows the lock instead of its form', async ({
  browser,
}) => {
  const cleo = await member('cleolock')
  const page = await signedIn(browser, server, 'dora')
  await page.clock.install()
  await page.goto(cleo.path)
  const points = page.getByRole('button', { name: t('room.points') })
  const amount = dialog(page).getByLabel(t('transfer.amount'))
  // Opened once before, so that its scripts are loaded and only its own delays count.
  await points.click()
  await expect(amount).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: t('action.cancel') })
    .click()
  await expect(dialog(page)).toHaveCount(0)
  // Event mode is switched on by another account, and its event has not arrived: after it, the button would be gone.
  let asked = 0
  await page.route('**/api/member/view', async (route) => {
    asked++
    const response = await route.fetch()
    const { data, ...answer } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...answer, data: { ...data, event_mode: 1 } } })
  })
  const nextAnswer = () => page.waitForResponse('**/api/member/view', { timeout: 20_000 })
  await stopClock(page)
  const first = nextAnswer()
  await points.click()
  await expect(amount).toBeAttached()
  const opened = await page.evaluate(() => Date.now())
  // Opening the dialog reads the member at once; the check is a second read.
  await (await first).finished()
  expect(asked).toBe(1)
  await page.clock.runFor(799)
  expect(asked).toBe(1)
  const second = nextAnswer()
  await page.clock.runFor(1)
  await (await second).finished()
  expect(asked).toBe(2)
  await page.clock.runFor(399)
  await expect(amount).toBeVisible()
  const lock = dialog(page).getByRole('alert').getByText(EVENT_MODE)
  await expect(async () => {
    await page.clock.runFor(1)
    await expect(lock).toBeVisible({ timeout: 200 })
  }).toPass({ intervals: [0] })
  expect((await page.evaluate(() => Date.now())) - opened).toBeLessThan(1250)
  await expect(amount).toHaveCount(0)
  await expect(dialog(page).getByRole('button', { name: t('action.next') })).toHaveCount(0)
})
