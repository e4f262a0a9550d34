import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import { browserOf, closeByBack, dialog, PASSWORD, phone, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { addPointsAccounts, openPointsDialog, openRoom, type People } from '../../support/points.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let ids: People['ids']
test.beforeAll(async () => {
  server = await startJourneyServer()
  ;({ ids } = await addPointsAccounts(server))
  const help1 = await clientOf(server.url, 'help1', PASSWORD)
  for (let at = 1; at <= 30; at += 1)
    await help1.call('transaction/add', {
      member_id: ids.ann88,
      type: TransferKind.send,
      amount: '1',
      platform: WalletKind.main,
      remark: `no. ${at}`,
    })
})
test.afterAll(() => server.remove())

test('rights that are not saved: a link, the browser’s “back” and closing the tab ask first', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'admin', server.password, '/index')
  const open = () => page.getByRole('link', { name: t('menu.tree') }).click()
  await open()
  await page.getByRole('gridcell', { name: /dora/ }).first().click()
  await page.getByRole('link', { name: t('right.rights') }).click()
  await expect(page).toHaveURL(new RegExp(`/rights/${ids.dora}$`))
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
  await page.getByRole('button', { name: t('shell.more') }).click()
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

for (const [device, options] of [
  ['a desktop', {}],
  ['a phone', phone],
] as const)
  test(`[HIST-02] on ${device} “back” closes a transfer’s details, and the list stays where it was`, async ({
    browser,
  }) => {
    const page = await browserOf(browser, server, {
      ...options,
      viewport: { width: options === phone ? 390 : 1440, height: 500 },
    })
    await signIn(page, 'help1', PASSWORD, '/transaction/list/ann88')
    const list = page.locator('.table-scroll')
    const details = page.getByRole('dialog').filter({ hasText: t('history.postings') })
    const offset = () => list.evaluate((box) => box.scrollTop)
    const open = async () => {
      if (options !== phone) {
        await page
          .getByRole('row')
          .filter({ hasText: 'no. 12' })
          .getByRole('button', { name: t('history.details') })
          .click()
        return
      }
      await page.locator('.small-row').nth(12).click()
      await dialog(page)
        .getByRole('button', { name: t('history.details') })
        .click()
    }
    await expect(page.locator('[data-row]').first()).toBeVisible()
    await list.evaluate((box) => box.scrollTo(0, 600))
    await open()
    await expect(details).toBeVisible()
    await expect(page).toHaveURL(/\/transaction\/list\/ann88\?transfer=/)
    const before = await offset()
    expect(before).toBeGreaterThan(0)
    await page.goBack()
    await expect(details).toHaveCount(0)
    await expect(page).toHaveURL(/\/transaction\/list\/ann88$/)
    expect(await offset()).toBe(before)

    // A reload opens the same, and what is open on it closes first.
    await page.goForward()
    await expect(details).toBeVisible()
    await page.reload()
    await details.getByRole('button', { name: t('history.edit_remark') }).click()
    const remark = dialog(page).last().getByLabel(t('transfer.remark'))
    await expect(remark).toBeVisible()
    await closeByBack(page)
    await expect(remark).toHaveCount(0)
    await expect(details).toBeVisible()
    await page.goBack()
    await expect(details).toHaveCount(0)
    await expect(page).toHaveURL(/\/transaction\/list\/ann88$/)
    expectCleanConsole(page)
  })

test('[TRF-02] on a phone “back” goes from a transfer’s question to its form, with what was typed', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, phone)
  await signIn(page, 'help1', PASSWORD)
  await openRoom(page, server, 'help1', ids.ben77)
  const room = page.url()
  await openPointsDialog(page, 'room.points_send')
  const amount = dialog(page).getByLabel(t('transfer.amount'))
  await amount.fill('12.5')
  await dialog(page)
    .getByRole('button', { name: t('action.next') })
    .click()
  await expect(dialog(page).getByText(t('transfer.confirm_title'))).toBeVisible()
  await closeByBack(page)
  await expect(amount).toHaveValue('12.5')
  await closeByBack(page)
  await expect(dialog(page).getByText(t('dialog.unsaved'))).toBeVisible()
  await expect(amount).toHaveValue('12.5')
  await closeByBack(page)
  await expect(dialog(page)).toHaveCount(0)
  expect(page.url()).toBe(room)

  await page.getByRole('button', { name: t('panel.show') }).click()
  const panel = page.getByRole('dialog', { name: t('panel.title') })
  await expect(panel).toBeVisible()
  await closeByBack(page)
  await expect(panel).toHaveCount(0)
  expect(page.url()).toBe(room)
  expectCleanConsole(page)
})

test('on a phone “back” closes the menu, and from a page chosen in it leads to the page before', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, phone)
  await signIn(page, 'dora', PASSWORD)
  const menu = page.getByRole('dialog', { name: t('shell.menu') })
  const open = () => page.getByRole('button', { name: t('shell.more') }).click()
  await open()
  await expect(menu).toBeVisible()
  await closeByBack(page)
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(/\/index$/)
  await open()
  await menu.getByRole('link', { name: t('menu.tree') }).click()
  await expect(page).toHaveURL(/\/tree$/)
  await expect(menu).toBeHidden()

  await page.getByRole('gridcell', { name: /dora/ }).first().click()
  await expect(dialog(page)).toBeVisible()
  await closeByBack(page)
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/tree$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/index$/)
  await expect(menu).toBeHidden()
  await page.goForward()
  await expect(page).toHaveURL(/\/tree$/)
  expectCleanConsole(page)
})
