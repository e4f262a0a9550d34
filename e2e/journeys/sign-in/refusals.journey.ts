/// <reference lib="dom" />
import { Role } from '@tallyroom/contract/codes'
import { errors } from '@tallyroom/contract/errors'
import { expect, test } from '@playwright/test'
import { type Client, signIn as clientOf } from '../../support/client.ts'
import { databaseOf } from '../../support/faults/kills.ts'
import { addAccount } from '../../support/add-account.ts'
import { dialog, PASSWORD, t } from '../../support/people.ts'
import { signedIn } from '../../support/signed-in.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let dora: Client
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'cs', 'help1', { under: 'dora' })
  await addAccount(server, 'cs', 'help2', { under: 'dora' })
  await addAccount(server, 'cs', 'help3', { under: 'dora' })
  dora = await clientOf(server.url, 'dora', PASSWORD)
})
test.afterAll(() => server.remove())

test('[GUARD-04] a page whose data the server refuses leads to /forbidden', async ({ browser }) => {
  const page = await signedIn(browser, server, 'help1')
  // An outdated menu, with a page that the account may not read.
  await page.route('**/api/userMenu/list', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object[] }
    const report = { id: 99, name: 'sr02', url: '/report/sr02', action: '' }
    await route.fulfill({ response, json: { ...answer, data: [...answer.data, report] } })
  })
  await page.goto('/report/sr02')
  await expect(page).toHaveURL(/\/forbidden$/)
  await expect(page.getByText('Sorry, access denied.')).toBeVisible()
})

test('[GUARD-04] a session that has expired leads to /login, which says "Token has expired"', async ({ browser }) => {
  const page = await signedIn(browser, server, 'help1')
  const database = await databaseOf(server)
  await database.query(`update sessions set expires_at = now() - interval '1 second'
    where account_id = (select id from accounts where username = 'help1')`)
  await database.end()
  await page.goto('/user')
  await page.waitForURL('**/login**')
  await expect(page.getByRole('alert')).toHaveText('Token has expired')
})

test('[WIRE-05] code 9998 clears everything stored except the language, the theme and the member’s page', async ({
  browser,
}) => {
  const stays = {
    locale: 'en',
    theme: 'dark',
    accent: 'red',
    side: 'light',
    m_user_token: 'of a member',
    m_user_id: '7',
  }
  const goes = { sound: 'once', EventMode: '0', user_avatar: '', transaction_all: '1', agent_login: '0', anything: 'x' }
  const page = await signedIn(browser, server, 'help2', { stored: { ...stays, ...goes } })
  await page.goto('/chat/messaging')
  await expect(page.getByRole('region', { name: t('chat.rooms') })).toBeVisible()
  const { data } = await dora.call('user/list', { role_id: Role.customerService, username: 'help2' })
  await dora.call('user/delete', { id: data[0]?.id ?? 0 })
  await page.waitForURL('**/login**')
  await expect(page.getByLabel(t('session.password'), { exact: true })).toBeVisible()
  expect(await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))).toEqual(stays)
})

test('[WIRE-05] a session that ends before its page has a socket leads to /login', async ({ browser }) => {
  const page = await signedIn(browser, server, 'help3')
  // Only the handshake can tell: the page has all it shows, and calls no more.
  await page.routeWebSocket(/\/socket\//, async (line) => {
    await expect(page.getByText(t('chat.empty'))).toBeVisible()
    const { data } = await dora.call('user/list', { role_id: Role.customerService, username: 'help3' })
    for (const { id } of data) await dora.call('user/delete', { id })
    line.connectToServer()
  })
  await page.goto('/chat/messaging')
  await page.waitForURL('**/login**')
})

test('[WIRE-04] a refused read shows the server’s text as an alert and is not repeated', async ({ browser }) => {
  const page = await signedIn(browser, server, 'dora')
  let asked = 0
  await page.route('**/api/user/list', (route) => {
    asked++
    return route.fulfill({ json: { code: errors['request.invalid'], message: 'Not like this.', data: null } })
  })
  await page.clock.install()
  await page.goto('/customer_service')
  await expect(page.getByRole('alert').filter({ hasText: 'Not like this.' })).toBeVisible()
  // Longer than any pause before an unanswered call is repeated.
  await page.clock.runFor(60_000)
  await expect(page.getByRole('alert').filter({ hasText: 'Not like this.' })).toBeVisible()
  expect(asked).toBe(1)
})

test('[WIRE-04] a refused change shows the server’s text as an alert and is not repeated', async ({ browser }) => {
  const page = await signedIn(browser, server, 'dora')
  let sent = 0
  await page.route('**/api/user/edit', (route) => {
    sent++
    return route.fulfill({ json: { code: errors['transfer.event_mode'], message: 'Not now.', data: null } })
  })
  await page.clock.install()
  await page.goto('/customer_service')
  const row = page.getByRole('row').filter({ hasText: 'help1' })
  await row.getByRole('button', { name: t('action.edit') }).click()
  await dialog(page).getByLabel(t('account.nickname')).fill('Other')
  await dialog(page)
    .getByRole('button', { name: t('action.save') })
    .click()
  await expect(page.getByRole('alert').filter({ hasText: 'Not now.' })).toBeVisible()
  await page.clock.runFor(60_000)
  await expect(dialog(page).getByLabel(t('account.nickname'))).toHaveValue('Other')
  expect(sent).toBe(1)
})
