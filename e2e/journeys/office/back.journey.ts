import { expect, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, dialog, PASSWORD, phone, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '500' })
})
test.afterAll(() => server.remove())

test('rights that are not saved: a link, the browser’s “back” and closing the tab ask first', async ({ browser }) => {
  const { id } = await (await clientOf(server.url, 'dora', PASSWORD)).call('user/view', {})
  const page = await browserOf(browser, server)
  await signIn(page, 'admin', server.password, '/index')
  const open = () => page.getByRole('link', { name: t('menu.tree') }).click()
  await open()
  await page.getByRole('gridcell', { name: /dora/ }).first().click()
  await page.getByRole('link', { name: t('right.rights') }).click()
  await expect(page).toHaveURL(new RegExp(`/rights/${id}$`))
  const right = page.getByRole('switch', { name: t('right.open', { page: t('menu.user') }) })
  await right.click()
  await expect(right).not.toBeChecked()
  const asks = dialog(page).getByText(t('dialog.not_saved'))
  const press = (key: 'dialog.keep_editing' | 'dialog.discard') =>
    dialog(page)
      .getByRole('button', { name: t(key) })
      .click()

  await open()
  await expect(asks).toBeVisible()
  await press('dialog.keep_editing')
  await page.goBack()
  await expect(asks).toBeVisible()
  await expect(page).toHaveURL(/\/rights\//)
  await press('dialog.keep_editing')
  await expect(asks).toHaveCount(0)
  await expect(right).not.toBeChecked()

  const closing = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await closing
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(right).not.toBeChecked()

  await page.goBack()
  await press('dialog.discard')
  await expect(page).toHaveURL(/\/tree$/)
  await page.goForward()
  await expect(right).toBeChecked()
  expectCleanConsole(page)
})

test('system settings that are not saved ask on a phone, and are asked about no more once saved', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, phone)
  await signIn(page, 'dora', PASSWORD, '/index')
  await page.getByRole('button', { name: t('shell.menu') }).click()
  await page.getByRole('link', { name: t('menu.system_settings') }).click()
  const name = page.getByRole('textbox', { name: t('setting.room_name'), exact: true })
  await name.fill('Happy Talk')
  await page.goBack()
  await expect(dialog(page).getByText(t('dialog.not_saved'))).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: t('dialog.keep_editing') })
    .click()
  await expect(name).toHaveValue('Happy Talk')
  await page.getByRole('button', { name: t('action.save') }).click()
  await expect(page.getByText(t('done.saved'))).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/index$/)
  expectCleanConsole(page)
})
