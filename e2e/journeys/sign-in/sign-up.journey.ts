import { randomUUID } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { signIn as clientOf, signUp } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, expectCleanConsole, t, wordsIn } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer({ env: { SIGN_UPS_PER_HOUR_OF_ADDRESS: '2' } })
  await addAccount(server, 'agent', 'sina')
})
test.afterAll(() => server.remove())

test('[S29] a sign-up above the limit says when to try again, and keeps the typed values', async ({ browser }) => {
  const sina = await clientOf(server.url, 'sina', PASSWORD)
  const { share_code: code } = await sina.call('user/view', {})
  await signUp(server.url, code, 'earlier1')
  const page = await browserOf(browser, server, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await page.goto(`/Signup/${code}`)
  const name = page.getByLabel(t('member.username'))
  await name.fill('SINA')
  await page.getByLabel(t('member.password'), { exact: true }).fill(PASSWORD)
  await page.getByLabel(t('member.password_again')).fill(PASSWORD)
  const send = page.getByRole('button', { name: t('member.sign_up_now') })
  await send.click()
  await expect(page.getByText(t('account.username_taken', { username: 'SINA' }))).toBeVisible()
  await name.fill('sina2')
  await send.click()
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText(t('signup.too_many', { minutes: 60 }))
  await expect(name).toHaveValue('sina2')
  await expect(send).toBeEnabled()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  const thai = await browserOf(browser, server)
  await thai.addInitScript(() => localStorage.setItem('locale', 'th'))
  await thai.goto(`/Signup/${code}`)
  const th = wordsIn('th')
  await thai.getByLabel(th('member.username')).fill(`m${randomUUID().slice(0, 6)}`)
  await thai.getByLabel(th('member.password'), { exact: true }).fill(PASSWORD)
  await thai.getByLabel(th('member.password_again')).fill(PASSWORD)
  await thai.getByRole('button', { name: th('member.sign_up_now') }).click()
  await expect(thai.getByRole('alert')).toHaveText(th('signup.too_many', { minutes: 60 }))
  // The browser logs every answer with status 429.
  for (const each of [page, thai]) expectCleanConsole(each, /status of 429/)
})
