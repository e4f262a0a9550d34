import { expect, type Page, test } from '@playwright/test'
import { expectNoFaults } from '../../support/page/axe.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { databaseOf } from '../../support/faults/kills.ts'
import { button, chooseInRow, openList, row, expectSnackbar, addListAccounts } from '../../support/lists.ts'
import {
  phone,
  submitSignIn,
  browserOf,
  choosePassword,
  dialog,
  PASSWORD,
  expectCleanConsole,
  signIn,
  signInByForm,
  t,
  wordsIn,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addListAccounts(server)
})
test.afterAll(() => server.remove())

/** dora sets the password of an account below. */
const setPassword = async (menu_id: 3 | 13, name: string) => {
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  const { data } = await dora.call('user/list', { menu_id, username: name })
  const password = { password: 'given123', password_confirmation: 'given123' }
  await dora.call('user/edit', { id: data[0]?.id ?? 0, ...password, request_id: crypto.randomUUID() })
}
/** Moves every sign-in five hours into the past. */
const ageSessions = async () => {
  const database = await databaseOf(server)
  await database.query("update sessions set created_at = created_at - interval '5 hours'")
  await database.end()
}
const expectAccessible = async (page: Page) => {
  await expectNoFaults(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
}

test('[W18] setting another account’s password asks for one’s own when the sign-in is not recent', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  for (const [list, name] of [
    ['menu.customer_service', 'help1'],
    ['menu.user', 'ann88'],
  ] as const) {
    await ageSessions()
    await openList(page, list)
    await expect(row(page, name)).toBeVisible()
    if (list === 'menu.user') await chooseInRow(row(page, name), t('action.edit'))
    else await button(page, t('action.edit'), name).click()
    await dialog(page).getByLabel(t('account.nickname')).fill(`Nick ${name}`)
    await dialog(page).locator('input[type=password]').first().fill('given123')
    await dialog(page).locator('input[type=password]').last().fill('given123')
    await button(page, t('action.save')).click()
    await expect(dialog(page).getByText(t('session.password_hint'))).toBeVisible()
    const own = dialog(page).getByLabel(t('payment.login_password'))
    await expect(own).toBeFocused()
    await own.fill('wrong12')
    await own.press('Enter')
    await expect(dialog(page).getByText(t('session.wrong_password'))).toBeVisible()
    await own.fill(PASSWORD)
    await own.press('Enter')
    await expectSnackbar(page, 'Edit succeeded')
    await expect(row(page, name)).toContainText(`Nick ${name}`)
  }
  expectCleanConsole(page)
})

test('[W18] customer service chooses its own password at the sign-in page, and then signs in with it', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, { ...phone, colorScheme: 'dark' })
  await setPassword(3, 'help1')
  await submitSignIn(page, 'help1', 'given123')
  await expect(page.getByLabel(t('account.new_password'), { exact: true })).toBeFocused()
  await expectAccessible(page)
  await choosePassword(page, 'abc')
  await expect(page.getByLabel(t('account.new_password'), { exact: true })).toBeFocused()
  await choosePassword(page, 'mine123', 'mine124')
  await expect(page.getByText(t('account.passwords_differ'))).toBeVisible()
  await choosePassword(page, 'given123')
  await expect(page.getByText(t('account.password_not_new'))).toBeVisible()
  // The new password is saved but the answer is lost: the same password again signs in.
  await page.route(
    '**/api/login',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await choosePassword(page, 'mine123')
  await expect(page.getByText(t('network.failed'))).toBeVisible()
  await choosePassword(page, 'mine123')
  await page.waitForURL('**/chat/messaging')
  const later = await browserOf(browser, server)
  await signInByForm(later, 'help1', 'mine123', { to: '**/chat/messaging' })
  expectCleanConsole(later)
})

test('[W18] a member chooses its own password on its page', async ({ browser }) => {
  const page = await browserOf(browser, server, { ...phone, colorScheme: 'dark', locale: 'th-TH' })
  const th = wordsIn('th')
  await setPassword(13, 'ann88')
  await page.addInitScript(() => localStorage.setItem('locale', 'th'))
  await page.goto('/m')
  const enter = async (password: string) => {
    await page.getByLabel(th('member.username'), { exact: true }).fill('ann88')
    await page.getByLabel(th('member.password'), { exact: true }).fill(password)
    await page.getByRole('button', { name: th('member.sign_in'), exact: true }).click()
  }
  await enter('given123')
  await expect(page.getByText(th('session.needs_new_password'))).toBeVisible()
  await expectAccessible(page)
  await choosePassword(page, 'given123', 'given123', th)
  await expect(page.getByText(th('account.password_not_new'))).toBeVisible()
  await choosePassword(page, 'mine123', 'mine123', th)
  await expect(page.getByLabel(th('message.write'))).toBeVisible()
  expectCleanConsole(page)
})
