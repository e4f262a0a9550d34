import { mkdtemp, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import {
  button,
  chooseInRow,
  openList,
  columnHeader,
  row,
  rows,
  expectSnackbar,
  addListAccounts,
} from '../../support/lists.ts'
import {
  submitSignIn,
  browserOf,
  choosePassword,
  dialog,
  PASSWORD,
  expectCleanConsole,
  signIn,
  t,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addListAccounts(server)
})
test.afterAll(() => server.remove())

test('[ACC-01] [ACC-02] [ACC-05] the account lists: titles, page sizes, search, and no results', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  await openList(page, 'menu.customer_service')
  await expect(row(page, 'help1')).toBeVisible()
  await openList(page, 'menu.agent')
  await expect(row(page, 'dian')).toBeVisible()
  await openList(page, 'menu.user')
  const count = page.locator('.table-count')
  await expect(count).toHaveText(t('table.count', { n: 27, count: 27 }))
  const size = page.getByLabel(t('table.rows_per_page'))
  expect(await size.locator('option').allTextContents()).toEqual(['10', '25', '50', t('table.all')])
  await size.selectOption('10')
  await expect(rows(page)).toHaveCount(10)
  await expect(page.getByText(t('table.page_of', { page: 1, pages: 3 }))).toBeVisible()
  await page.getByRole('button', { name: t('table.next') }).click()
  await page.getByRole('button', { name: t('table.next') }).click()
  await expect(rows(page)).toHaveCount(7)
  await size.selectOption('25')
  await expect(page.locator('table')).toHaveAttribute('aria-rowcount', '26')
  await size.selectOption('50')
  // Only visible rows are drawn.
  await expect(page.locator('table')).toHaveAttribute('aria-rowcount', '28')

  const name = page.getByPlaceholder(t('account.username'), { exact: true })
  await name.fill('NN8')
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, 'ann88')).toBeVisible()
  const asked = page.waitForRequest('**/api/user/list')
  await name.press('Enter')
  await asked
  await expect(rows(page)).toHaveCount(1)
  await name.fill('nobody')
  await expect(page.getByText(t('table.empty'))).toBeVisible()
  await name.fill('')
  await button(page, t('action.search')).click()
  await page.getByPlaceholder(t('account.nickname')).fill('ben')
  await expect(rows(page)).toHaveCount(1)
  await size.selectOption('0')
  expectCleanConsole(page)
})

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** Has the signature of a PNG and is too large for a browser to decode. A sparse file: it takes no disk space. */
const hugeImage = async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'tallyroom-huge-')), 'huge.png')
  await writeFile(path, PNG)
  await truncate(path, 210_000_000)
  return path
}

test('[ACC-03] [ACC-07] [ACC-13] [ACC-14] [WIRE-09] adding an account: every refusal keeps the typed values', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  for (const path of ['menu.agent', 'menu.user'] as const) {
    await openList(page, path)
    await expect(rows(page).first()).toBeVisible()
    await expect(button(page, t('account.add_customer_service'))).toHaveCount(0)
  }
  await openList(page, 'menu.customer_service')
  await button(page, t('account.add_customer_service')).click()
  const form = dialog(page)
  const create = form.getByRole('button', { name: t('account.create') })
  const field = (label: Parameters<typeof t>[0]) => form.getByRole('textbox', { name: t(label), exact: false }).first()
  const username = form.getByLabel(t('account.username'))
  const password = form.locator('input[type=password]').first()
  const again = form.locator('input[type=password]').last()

  await create.click()
  await expect(form.getByRole('alert').getByText(t('account.username_rule'))).toBeVisible()
  await expect(form.getByRole('alert').getByText(t('account.password_rule'))).toBeVisible()
  for (const wrong of ['abc', 'a b c d', 'ab!cd']) {
    await username.fill(wrong)
    await create.click()
    await expect(form.getByRole('alert').getByText(t('account.username_rule'))).toBeVisible()
  }
  await username.fill('longer-than-ten')
  expect((await username.inputValue()).length).toBe(10)
  await field('account.nickname').fill('Helper')
  await password.fill('12345678901234567890')
  expect((await password.inputValue()).length).toBe(15)
  await expect(form.getByText('15 / 15')).toBeVisible()
  for (const wrong of ['abc', 'with-dash', 'with space']) {
    await password.fill(wrong)
    await again.fill(wrong)
    await create.click()
    await expect(form.getByRole('alert').getByText(t('account.password_rule'))).toBeVisible()
  }
  await password.fill('secret2')
  await again.fill('secret3')
  await create.click()
  await expect(form.getByRole('alert').getByText(t('account.passwords_differ'))).toBeVisible()
  await again.fill('secret2')
  await form.locator('input[type=file]').setInputFiles({
    name: 'no-image.png',
    mimeType: 'image/png',
    buffer: Buffer.from('this is no image'),
  })
  await expect(page.locator('.alerts').getByText(t('account.image_invalid'))).toBeVisible()
  await page
    .locator('.alerts')
    .getByRole('button', { name: t('action.close') })
    .click()
  await form.locator('input[type=file]').setInputFiles(await hugeImage())
  await expect(page.locator('.alerts').getByText(t('message.image_too_large'))).toBeVisible()
  await page
    .locator('.alerts')
    .getByRole('button', { name: t('action.close') })
    .click()

  // The server refuses a file that only has an image’s signature.
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'false.png', mimeType: 'image/png', buffer: Buffer.concat([PNG, Buffer.alloc(99, 'x')]) })
  await username.fill('help2')
  await create.click()
  await expect(form.getByRole('alert')).toHaveText(t('account.image_invalid'))
  await form.getByRole('button', { name: t('account.remove_picture') }).click()

  // Usernames are compared without regard to case, and the refusal keeps the typed values.
  await username.fill('HELP1')
  await create.click()
  await expect(form.getByRole('alert')).toHaveText(t('account.username_taken', { username: 'HELP1' }))
  await expect(username).toHaveValue('HELP1')
  await expect(field('account.nickname')).toHaveValue('Helper')
  await expect(password).toHaveValue('secret2')
  await expect(again).toHaveValue('secret2')
  await username.fill('help2')
  await create.click()
  await expectSnackbar(page, 'Create succeeded')
  await expect(dialog(page)).toHaveCount(0)
  await expect(row(page, 'help2')).toContainText('Helper')

  const fresh = await browserOf(browser, server)
  await submitSignIn(fresh, 'help2', 'secret2')
  await choosePassword(fresh, 'mine123')
  await fresh.waitForURL('**/chat/messaging')
  expectCleanConsole(fresh)
  expectCleanConsole(page)
})

test('[ACC-08] [ACC-09] [ACC-10] [ACC-14] [WIRE-09] edit, freeze with undo, and unfreeze', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  await openList(page, 'menu.user')
  await expect(button(page, t('action.transaction'), 'ben777')).toBeVisible()
  await button(page, t('table.more'), 'ben777').click()
  for (const action of ['action.deposit', 'action.edit', 'menu.transaction_log', 'action.freeze'] as const)
    await expect(page.getByRole('menuitem', { name: t(action) })).toBeVisible()
  await page.keyboard.press('e')
  await expect(dialog(page).getByText(t('account.edit_user'))).toBeVisible()
  await expect(dialog(page).getByText(`${t('account.path')}: dora › ben777`)).toBeVisible()
  await dialog(page).getByLabel(t('account.nickname')).fill('Benny')
  await dialog(page).locator('input[type=password]').first().fill('newpass1')
  await dialog(page).locator('input[type=password]').last().fill('other')
  await button(page, t('action.save')).click()
  await expect(dialog(page).getByRole('alert').getByText(t('account.passwords_differ'))).toBeVisible()
  await dialog(page).locator('input[type=password]').last().fill('newpass1')
  await dialog(page)
    .getByRole('switch', { name: t('account.withdraw_confirm') })
    .click()
  await button(page, t('action.save')).click()
  await expectSnackbar(page, 'Edit succeeded')
  await expect(row(page, 'ben777')).toContainText('Benny')

  const freeze = async () => {
    await chooseInRow(row(page, 'ben777'), t('action.freeze'))
    await dialog(page)
      .getByRole('button', { name: t('action.freeze') })
      .click()
    await expectSnackbar(page, t('account.frozen_done', { name: 'Benny' }))
  }
  await freeze()
  await button(page, t('account.undo')).click()
  await expectSnackbar(page, t('account.free_again', { name: 'Benny' }))
  await expect(row(page, 'ben777')).not.toContainText(t('status.frozen'))
  await freeze()
  await expect(row(page, 'ben777')).toContainText(t('status.frozen'))
  await expect(page.locator('.snackbar')).toHaveCount(0)
  await button(page, t('table.more'), 'ben777').click()
  await expect(page.getByRole('menuitem', { name: t('action.freeze') })).toHaveCount(0)
  await page.getByRole('menuitem', { name: t('action.edit') }).click()
  const normal = dialog(page).getByRole('switch', { name: t('account.status') })
  await expect(normal).not.toBeChecked()
  await normal.click()
  await expect(normal).toBeChecked()
  await button(page, t('action.save')).click()
  await expectSnackbar(page, 'Edit succeeded')
  await expect(row(page, 'ben777')).not.toContainText(t('status.frozen'))
  expectCleanConsole(page)
})

test('[ACC-10] [ACC-11] which columns and buttons each role sees in the lists', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  await openList(page, 'menu.user')
  await expect(row(page, 'ann88')).toBeVisible()
  for (const title of ['shell.balance', 'account.withdraw_confirm'] as const)
    await expect(columnHeader(page, t(title))).toHaveCount(0)
  await openList(page, 'menu.agent')
  for (const title of ['shell.balance', 'account.withdraw_confirm'] as const)
    await expect(columnHeader(page, t(title))).toBeVisible()
  expectCleanConsole(page)

  const admin = await browserOf(browser, server)
  await signIn(admin, 'admin', server.password)
  await openList(admin, 'menu.user')
  for (const title of ['shell.balance', 'account.withdraw_confirm'] as const)
    await expect(columnHeader(admin, t(title))).toBeVisible()

  const help = await browserOf(browser, server)
  await signIn(help, 'help1', PASSWORD)
  await openList(help, 'menu.user')
  await button(help, t('table.more'), 'ann88').click()
  await expect(help.getByRole('menuitem', { name: t('action.deposit') })).toBeVisible()
  for (const action of ['action.edit', 'action.freeze'] as const)
    await expect(help.getByRole('menuitem', { name: t(action) })).toHaveCount(0)
  await expect(button(help, t('action.edit'), 'ann88')).toHaveCount(0)
  await expect(button(help, t('account.export'))).toHaveCount(0)
  expectCleanConsole(help)
})
