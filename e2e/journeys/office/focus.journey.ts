/// <reference lib="dom" />
import { expect, type Locator, type Page, test } from '@playwright/test'
import { type Client, makeClient, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { composer } from '../../support/hostile.ts'
import { button, openList, row } from '../../support/lists.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  confirmDone,
  dialog,
  storeSession,
  transferInDialog,
  PASSWORD,
  phone,
  expectCleanConsole,
  signIn,
  t,
} from '../../support/people.ts'
import { openRoom, type People, addPointsAccounts } from '../../support/points.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let people: People
let help1: Client
test.beforeAll(async () => {
  server = await startJourneyServer()
  people = await addPointsAccounts(server)
  help1 = await clientOf(server.url, 'help1', PASSWORD)
  await addAccount(server, 'cs', 'help2', { under: 'dora' })
  await people.admin.call('user/saveAbilities', { id: people.ids.help1, cs_flow_limit_button_visible: 1 })
  await people.admin.call('bank_setting/save', {
    is_third: 1,
    has_bank_card_setting: 0,
    bank_card_amount: 1,
    enable_bsb_code: 0,
    bsb_code_alias: '',
    account_name_modify: 0,
    cj7: 0,
  })
  await help1.call('message-template/create', { title: 'Hi', content: 'Good morning.' })
})
test.afterAll(() => server.remove())

const lineOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const tool = (page: Page, key: Parameters<typeof t>[0]) => page.getByRole('button', { name: t(key), exact: true })
/** Expects the focus on the target, and not on the body. */
const expectFocus = async (page: Page, target: Locator) => {
  await expect(target).toBeFocused()
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
}
/** Opens and closes a dialog by keyboard, and expects the focus back on its opener. */
const openAndClose = async (page: Page, opener: Locator) => {
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).last()).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"], .ant-drawer, dialog') !== null))
    .toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expectFocus(page, opener)
}

test('[ROOM-03] in a room the focus is never lost to the body: after every dialog, menu, Take and Hide', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await storeSession(page, 'help1', PASSWORD)
  await openRoom(page, server, 'help1', people.ids.ann88)
  await expectFocus(page, composer(page))

  await test.step('Take moves the focus to the composer, handing over back to its button', async () => {
    const mine = page.locator('.room-owner')
    await expect(mine).toContainText(t('desk.take'))
    await mine.focus()
    await page.keyboard.press('Enter')
    await expect(mine).toContainText(t('desk.mine'))
    await expectFocus(page, composer(page))
    await openAndClose(page, mine)
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByRole('button', { name: t('desk.release') })
      .click()
    await expect(dialog(page)).toHaveCount(0)
    await expectFocus(page, mine)
  })

  await test.step('each dialog returns the focus to its button', async () => {
    for (const key of ['room.points', 'flow.title', 'bank.title'] as const) await openAndClose(page, tool(page, key))
    await tool(page, 'room.points').click()
    await transferInDialog(page, '5', 'first')
    await confirmDone(page)
    await expectFocus(page, tool(page, 'room.points'))
  })

  await test.step('whisper and quick replies return the focus to the composer', async () => {
    await tool(page, 'desk.whisper').focus()
    await page.keyboard.press('Enter')
    await expectFocus(page, page.getByLabel(t('desk.whisper_write')))
    await tool(page, 'desk.reply').focus()
    await page.keyboard.press('Enter')
    await expectFocus(page, composer(page))
    await tool(page, 'template.quick_replies').focus()
    await page.keyboard.press('Enter')
    await expectFocus(page, page.getByLabel(t('template.find')))
    await page.keyboard.press('Enter')
    await expectFocus(page, composer(page))
    await expect(composer(page)).toHaveValue('Good morning.')
    await composer(page).fill('')
  })

  await test.step('the list of keys, the palette and the panel', async () => {
    const panel = tool(page, 'panel.hide')
    await panel.focus()
    await page.keyboard.press('?')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expectFocus(page, panel)
    await page.keyboard.press('Control+K')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expectFocus(page, panel)
    await page.keyboard.press('Enter')
    await expectFocus(page, tool(page, 'panel.show'))
    await page.keyboard.press('Enter')
    const link = page.getByRole('complementary').getByRole('link').first()
    await link.focus()
    await page.keyboard.press('Alt+P')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expectFocus(page, link)
  })

  await test.step('a search without results keeps the focus in its field, also when it is cleared', async () => {
    await page.keyboard.press('Alt+K')
    await page.keyboard.type('zzz')
    await expect(page.getByText('zzz', { exact: false }).first()).toBeVisible()
    await expectFocus(page, page.locator('.room-list [type="search"]'))
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await expect(page.getByRole('list', { name: t('chat.rooms') })).toBeVisible()
    await expectFocus(page, page.locator('.room-list [type="search"]'))
  })

  await test.step('when a pressed button disappears, the focus moves to the composer', async () => {
    const ann = makeClient(server.url)
    ann.token = (await ann.call('login', { username: 'ann88', password: PASSWORD, face: 'member' })).token
    const code = (await ann.call('room/list', {})).data[0]?.code ?? ''
    await ann.call('sendMessage', { code, type: 1, content: 'thank you' })
    await tool(page, 'desk.done').focus()
    await page.keyboard.press('Enter')
    await expect(tool(page, 'desk.done')).toHaveCount(0)
    await expectFocus(page, composer(page))
  })
  expectCleanConsole(page)
})

test('[CONV-03] [ROOM-04] hiding a room opens the next one, and Undo brings it back', async ({ browser }) => {
  await addAccount(server, 'agent', 'dena')
  const dena = await clientOf(server.url, 'dena', PASSWORD)
  const { share_code } = await dena.call('user/view', {})
  for (const name of ['hidea', 'hideb']) await memberOf(server.url, share_code, name)
  const page = await browserOf(browser, server)
  await signIn(page, 'dena', PASSWORD, '/chat/messaging')
  const list = page.getByRole('list', { name: t('chat.rooms') })
  const line = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  const title = page.getByRole('heading', { level: 1 })
  await line('hideb').getByRole('link').click()
  await expect(title).toContainText('hideb')
  await composer(page).fill('half a word')

  await test.step('by shortcut, and Undo by shortcut', async () => {
    await page.keyboard.press('Alt+H')
    await expect(title).toContainText('hidea')
    await expectFocus(page, composer(page))
    await expect(line('hideb')).toHaveCount(0)
    await expect(page.locator('.snackbars')).toContainText(t('chat.done_hide', { n: 1 }))
    await page.keyboard.press('Alt+Z')
    await expect(title).toContainText('hideb')
    await expect(line('hideb')).toHaveCount(1)
    await expectFocus(page, composer(page))
    await expect(composer(page)).toHaveValue('half a word')
  })

  await test.step('by its button, and Undo reached by Tab', async () => {
    await tool(page, 'room.more').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: t('chat.hide'), exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(title).toContainText('hidea')
    await expectFocus(page, composer(page))
    const undo = page.locator('.snackbars').getByRole('button', { name: t('action.undo') })
    for (let n = 0; n < 60 && (await undo.and(page.locator(':focus')).count()) === 0; n++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(title).toContainText('hideb')
    await expectFocus(page, composer(page))
  })

  await test.step('when no room is left, the focus is in the list', async () => {
    await page.keyboard.press('Alt+H')
    await expect(title).toContainText('hidea')
    await expect(line('hideb')).toHaveCount(0)
    await page.keyboard.press('Alt+H')
    await expect(page.getByText(t('chat.pick'))).toBeVisible()
    await expectFocus(page, page.locator('.room-list'))
    await expect(page.locator('.snackbars')).toContainText(t('chat.done_hide', { n: 1 }))
    await page.keyboard.press('Alt+Z')
    await expect(title).toContainText('hidea')
    await expectFocus(page, composer(page))
  })
  expectCleanConsole(page)

  await test.step('on a phone the list is shown, and Undo opens the room again', async () => {
    const small = await browserOf(browser, server, phone)
    await signIn(small, 'dena', PASSWORD, '/chat/messaging')
    await lineOf(small, 'hidea').getByRole('link').tap()
    await tool(small, 'room.more').tap()
    await small.getByRole('menuitem', { name: t('chat.hide'), exact: true }).tap()
    await expect(lineOf(small, 'hidea')).toHaveCount(0)
    expect(await small.evaluate(() => document.activeElement === document.body)).toBe(false)
    await tool(small, 'action.undo').tap()
    await expect(small.getByRole('heading', { level: 1 })).toContainText('hidea')
    expectCleanConsole(small)
  })
})

test('[SHELL-05] on the office’s pages every dialog, drawer and menu returns the focus', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'admin', server.password)

  await test.step('theme, user menu, language, palette', async () => {
    await openAndClose(page, tool(page, 'theme.title'))
    const user = page.getByRole('button', { name: t('shell.user_menu', { name: 'Admin' }) })
    await user.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expectFocus(page, user)
    const language = page.locator('.language-select select')
    await language.focus()
    for (const name of ['zh-TW', 'en']) {
      await language.selectOption(name)
      await expect(page.locator('html')).toHaveAttribute('lang', name)
      await expectFocus(page, language)
    }
    await openAndClose(page, tool(page, 'palette.title'))
    await page.keyboard.press('Enter')
    await page.keyboard.type('audit')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/audit/)
    await expectFocus(page, tool(page, 'palette.title'))
  })

  await test.step('the lists: add, edit, transfer, deposit, freeze', async () => {
    const dora = await browserOf(browser, server)
    await signIn(dora, 'dora', PASSWORD)
    await openList(dora, 'menu.customer_service')
    await openAndClose(dora, tool(dora, 'account.add_customer_service'))
    for (const key of ['action.edit', 'action.freeze'] as const) await openAndClose(dora, button(dora, t(key), 'help2'))
    expectCleanConsole(dora)
    await openList(page, 'menu.agent')
    for (const key of ['action.transaction', 'action.deposit'] as const)
      await openAndClose(page, button(page, t(key), 'dora'))
    await button(page, t('action.deposit'), 'dora').click()
    await transferInDialog(page, '1', 'more')
    await confirmDone(page)
    await expectFocus(page, button(page, t('action.deposit'), 'dora'))
  })

  await test.step('a transfer: its drawer, remark and correction; the audit log', async () => {
    await page.goto('/transaction/list/dora')
    const details = row(page, 'more').getByRole('button', { name: t('history.details') })
    await openAndClose(page, details)
    await page.keyboard.press('Enter')
    for (const key of ['history.edit_remark', 'transfer.correct'] as const) {
      const opener = dialog(page)
        .first()
        .getByRole('button', { name: t(key) })
      await opener.focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toHaveCount(2)
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(1)
      await expectFocus(page, opener)
    }
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expectFocus(page, details)
    await page.goto('/audit')
    await openAndClose(page, page.getByRole('button', { name: t('audit.facts') }).first())
  })

  await test.step('the menu on a phone: to another page, without losing the focus', async () => {
    const small = await browserOf(browser, server, { ...phone, hasTouch: false })
    await signIn(small, 'admin', server.password)
    const menu = tool(small, 'shell.menu')
    await openAndClose(small, menu)
    await small.keyboard.press('Enter')
    await dialog(small)
      .getByRole('link', { name: t('menu.agent') })
      .click()
    await expect(small).toHaveURL(/\/agent/)
    await expect(dialog(small)).toHaveCount(0)
    expect(await small.evaluate(() => document.activeElement === document.body)).toBe(false)
    expectCleanConsole(small)
  })
  expectCleanConsole(page)
})
