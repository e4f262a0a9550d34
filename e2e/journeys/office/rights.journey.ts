import { readFile } from 'node:fs/promises'
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { button, chooseInRow, openList, row, rows, expectSnackbar, addListAccounts } from '../../support/lists.ts'
import { browserOf, dialog, PASSWORD, phone, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addListAccounts(server)
})
test.afterAll(() => server.remove())

test('abilities of an account below: switches, limits and their refusals; export of the list', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'admin', server.password)
  await openList(page, 'menu.agent')
  const open = async () => {
    await chooseInRow(row(page, 'dian'), t('action.edit'))
    await dialog(page).getByText(t('ability.title'), { exact: true }).click()
  }
  const flag = (label: Parameters<typeof t>[0]) => dialog(page).getByRole('switch', { name: t(label), exact: true })
  const save = dialog(page).getByRole('button', { name: t('action.save') })
  await open()
  await flag('ability.event_mode').click()
  await dialog(page).getByLabel(t('account.limit_of_credit')).fill('1500.5')
  await dialog(page).getByLabel(t('ability.transfer_member_flow_limit_multiple')).fill('1001')
  await save.click()
  await expect(dialog(page).getByText(t('ability.multiple_rule'))).toBeVisible()
  await dialog(page).getByLabel(t('ability.transfer_member_flow_limit_multiple')).fill('3')
  await dialog(page).getByLabel(t('ability.transfer_member_flow_limit_multiple')).press('Enter')
  await expectSnackbar(page, t('done.edited'))
  await expect(row(page, 'dian')).toContainText('1,500.50')
  await open()
  await expect(flag('ability.event_mode')).toBeChecked()
  await expect(dialog(page).getByLabel(t('account.limit_of_credit'))).toHaveValue('1,500.5')
  await flag('ability.unlimited').click()
  await expect(dialog(page).getByLabel(t('account.limit_of_credit'))).toBeDisabled()
  await save.click()
  await expectSnackbar(page, t('done.edited'))
  await expect(row(page, 'dian')).toContainText(t('points.unlimited'))

  // An agent can grant only rights that it has: the refusal leaves the dialog as it was.
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD)
  await openList(dora, 'menu.agent')
  await chooseInRow(row(dora, 'dian'), t('action.edit'))
  await dialog(dora).getByText(t('ability.title'), { exact: true }).click()
  const robot = dialog(dora).getByRole('switch', { name: t('ability.chat_ai_bot_visible') })
  await robot.click()
  await expect(dialog(dora).getByRole('switch', { name: t('ability.unlimited') })).toHaveCount(0)
  await dialog(dora)
    .getByRole('button', { name: t('action.save') })
    .click()
  await expect(dialog(dora).getByRole('alert')).toHaveText(t('account.not_yours_to_give'))
  await expect(robot).toBeChecked()
  expectCleanConsole(dora)

  const file = page.waitForEvent('download')
  await button(page, t('account.export')).click()
  const saved = await file
  expect(saved.suggestedFilename()).toMatch(/^agents-\d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await saved.path(), 'utf8')).toContain('"dian"')
  expectCleanConsole(page)
})

test('the audit log: filters, details, and on a phone', async ({ browser }) => {
  const cs = await clientOf(server.url, 'dora', PASSWORD)
  const { data } = await cs.call('user/list', { menu_id: 13, username: 'm01aa' })
  const [member] = data
  if (!member) throw new Error('m01aa is not there')
  await cs.call('user/edit', { id: member.id, nickname: 'Molly', request_id: crypto.randomUUID() })

  const page = await browserOf(browser, server)
  await signIn(page, 'admin', server.password)
  await openList(page, 'menu.audit')
  await expect(row(page, t('audit.kind_signed_in')).first()).toBeVisible()
  await page.getByLabel(t('audit.target'), { exact: true }).fill('M01A')
  await page.getByLabel(t('audit.actor'), { exact: true }).fill('dora')
  await button(page, t('action.search')).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(`${t('account.nickname')}: m01aa → Molly`)
  await button(page, t('audit.kind')).click()
  await button(page, t('audit.kind_sign_in_failed')).click()
  await expect(page.getByText(t('audit.widen'))).toBeVisible()
  await button(page, t('filter.remove', { name: t('audit.kind') })).click()
  await row(page, 'Molly')
    .getByRole('button', { name: t('audit.facts') })
    .click()
  await expect(dialog(page).getByText('m01aa → Molly')).toBeVisible()
  expectCleanConsole(page)

  const small = await browserOf(browser, server, phone)
  await signIn(small, 'admin', server.password, '/audit')
  await small
    .getByRole('button', { name: new RegExp(t('audit.kind_account_edited')) })
    .first()
    .click()
  await expect(dialog(small).getByText(/→ Molly/)).toBeVisible()
  expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  expectCleanConsole(small)

  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD, '/audit')
  await expect(dora).toHaveURL(/\/index$/)
})

test('[ACC-05] [ACC-06] masked usernames: exact search, and no link that needs the full name', async ({ browser }) => {
  const admin = await clientOf(server.url, 'admin', server.password)
  const { data } = await admin.call('user/list', { menu_id: 2, username: 'dora' })
  const id = data[0]?.id ?? 0
  const asDora = await clientOf(server.url, 'dora', PASSWORD)
  const { share_code: code } = await asDora.call('user/view', {})
  const mask = (on: 0 | 1) =>
    admin.call('user/saveAbilities', { id, masks_usernames: on, request_id: crypto.randomUUID() })
  const cleo = await memberOf(server.url, code, 'cleo99')
  const room = (await cleo.call('room/list', {})).data[0]?.code ?? ''
  await cleo.call('sendMessage', { code: room, type: MessageType.text, content: 'Hello from Cleo' })
  await mask(1)
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  await openList(page, 'menu.user')
  await expect(row(page, 'be***777')).toBeVisible()
  await expect(page.getByText('ben777')).toHaveCount(0)
  const name = page.getByPlaceholder(t('account.username_exact'))
  await name.fill('ben7')
  await name.press('Enter')
  await expect(page.getByText(t('account.masked_hint'))).toBeVisible()
  await name.fill('BEN777')
  await name.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, 'be***777')).toBeVisible()
  await page.getByRole('link', { name: new RegExp(`^${t('menu.chat')}`) }).click()
  await page.getByText('Hello from Cleo').first().click()
  await expect(page.getByText('cl***o99').first()).toBeVisible()
  await expect(page.getByRole('button', { name: t('room.points') })).toBeVisible()
  const inMenu = page.getByRole('menuitem', { includeHidden: true })
  await expect(inMenu.filter({ hasText: t('note.new_tab') })).toHaveCount(1)
  await expect(inMenu.filter({ hasText: t('room.history') })).toHaveCount(0)
  await page.getByRole('button', { name: t('room.points') }).click()
  await expect(dialog(page).getByLabel(t('transfer.amount'))).toBeVisible()
  await expect(dialog(page).getByText('cl***o99').first()).toBeVisible()
  // Found by the conversation: the full name stays unknown.
  await expect(dialog(page).getByRole('link', { name: t('room.history') })).toHaveAttribute('href', /[?&]room=/)
  expectCleanConsole(page)
  await mask(0)
})

test('[RIGHT-01] a page that is taken leaves the screen and the menu of the agent who has it open', async ({
  browser,
}) => {
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD, '/report/sr02')
  const inMenu = dora.getByRole('navigation', { name: t('shell.menu') }).getByRole('link', { name: t('menu.sr02') })
  await expect(inMenu).toBeVisible()

  const page = await browserOf(browser, server)
  await signIn(page, 'admin', server.password)
  await openList(page, 'menu.agent')
  await chooseInRow(row(page, 'dora'), t('right.rights'))
  const right = page.getByRole('switch', { name: t('right.open', { page: t('menu.sr02') }) })
  await right.click()
  await page.getByRole('button', { name: t('action.save') }).click()
  await expectSnackbar(page, t('right.saved'))
  await dora.waitForURL('**/index')
  await expect(inMenu).toHaveCount(0)
  await expect(dora.getByText(t('right.page_gone'))).toBeVisible()

  await right.click()
  await page.getByRole('button', { name: t('action.save') }).click()
  await expect(inMenu).toBeVisible()
  expectCleanConsole(page)
})
