import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { browserWithPasskeys } from '../../support/page/passkey-device.ts'
import { account, expectCleanConsole, openEmptyPage, PASSWORD, phone, signInByForm, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'passy')
  await account(server, 'add', 'member', 'passm', '--under', 'passy', '--password', PASSWORD)
})
test.afterAll(() => server.remove())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const forget = async (page: Page) => {
  await openEmptyPage(page)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
}

test('[PASS-01] an agent adds a passkey, signs in with it alone, and with it after the password', async ({
  browser,
}) => {
  const page = await browserWithPasskeys(browser, server)
  await signInByForm(page, 'passy', PASSWORD)
  await page.goto('/setup/self')
  await press(page, t('passkey.add'))
  await page.getByLabel(t('payment.login_password')).last().fill(PASSWORD)
  await press(page, t('action.next'))
  await expect(page.getByText(t('security.recovery_once'))).toBeVisible()
  await press(page, t('security.recovery_kept'))
  await expect(page.getByText(t('passkey.unused'))).toBeVisible()

  await forget(page)
  await press(page, t('passkey.sign_in'))
  await page.waitForURL('**/index')

  await forget(page)
  await page.getByLabel(t('session.login'), { exact: true }).fill('passy')
  await page.getByLabel(t('session.password'), { exact: true }).fill(PASSWORD)
  await press(page, t('session.enter'))
  await press(page, t('passkey.use'))
  await page.waitForURL('**/index')
  expectCleanConsole(page)
})

test('[PASS-01] a member adds a passkey on a phone, and signs in with it', async ({ browser }) => {
  const page = await browserWithPasskeys(browser, server, phone)
  await page.goto('/m')
  await page.getByLabel(t('member.username')).fill('passm')
  await page.getByLabel(t('member.password'), { exact: true }).fill(PASSWORD)
  await press(page, t('member.sign_in'))
  await press(page, t('member.menu'))
  await page.getByRole('button', { name: new RegExp(`^${t('passkey.title')}`) }).click()
  await press(page, t('passkey.add'))
  // The button of the list has the same name: a press that comes too early would be one more of that.
  await expect(page.getByLabel(t('passkey.name'))).toBeFocused()
  await press(page, t('passkey.add'))
  await expect(page.getByText(t('passkey.added'))).toBeVisible()
  await press(page, t('action.back'))
  await press(page, t('member.sign_out'))
  await press(page, t('passkey.sign_in'))
  await expect(page.getByLabel(t('message.write'))).toBeVisible()
  expectCleanConsole(page)
})
