import { expect, test } from '@playwright/test'
import { button, openList, addListAccounts } from '../../support/lists.ts'
import { browserOf, dialog, PASSWORD, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addListAccounts(server)
})
test.afterAll(() => server.remove())

test('[AUTH-11] My settings: one other session is ended, then all others', async ({ browser }) => {
  const pages = [await browserOf(browser, server), await browserOf(browser, server), await browserOf(browser, server)]
  for (const page of pages) await signIn(page, 'dora', PASSWORD)
  const [own] = pages
  if (!own) return
  await own.goto('/setup/self')
  await expect(own.getByText(t('sessions.this'))).toBeVisible()
  const ends = own.getByRole('button', { name: /^End the session/ })
  const many = await ends.count()
  expect(many).toBeGreaterThanOrEqual(2)
  await ends.first().click()
  await expect(ends).toHaveCount(many - 1)
  await own.getByRole('button', { name: t('sessions.end_others') }).click()
  await own
    .getByRole('dialog')
    .getByRole('button', { name: t('sessions.end_others') })
    .click()
  await expect(ends).toHaveCount(0)
  for (const other of pages.slice(1)) await other.waitForURL('**/login**')
  await own.reload()
  await expect(own.getByText(t('sessions.this'))).toBeVisible()
})

test('[S13] an upline ends a session of an account below, whose page goes to /login', async ({ browser }) => {
  const help = await browserOf(browser, server)
  await signIn(help, 'help1', PASSWORD)
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  await openList(page, 'menu.customer_service')
  await button(page, t('action.edit'), 'help1').click()
  await dialog(page).getByText(t('sessions.of_account'), { exact: true }).click()
  const ends = dialog(page).getByRole('button', { name: /^End the session/ })
  await expect(ends).toHaveCount(1)
  await ends.click()
  await expect(dialog(page).getByText(t('sessions.nowhere'))).toBeVisible()
  await help.waitForURL('**/login**')
  expectCleanConsole(page)
})
