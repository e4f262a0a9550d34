/// <reference lib="dom" />
import { MessageType } from '@tallyroom/contract/codes'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { type Client, makeClient, signIn as clientOf } from '../../support/client.ts'
import { expectFocus } from '../../support/page/focus.ts'
import { composer } from '../../support/hostile.ts'
import { button, chooseInRow, openList, row } from '../../support/lists.ts'
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

/** As most people see it: the focus comes back when a dialog has moved out. */
const moving = { reducedMotion: 'no-preference' } as const
const tool = (page: Page, key: Parameters<typeof t>[0]) => page.getByRole('button', { name: t(key), exact: true })
/** The same for an action in the menu of a row: the focus comes back to the menu's button. */
const openInMenuAndClose = async (page: Page, name: string, action: 'action.freeze' | 'action.deposit') => {
  await button(page, t('table.more'), name).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: t(action) }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).last()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expectFocus(page, button(page, t('table.more'), name))
}
/** Opens and closes a dialog by keyboard, after some tabs inside, and expects the focus back on its opener. */
const openAndClose = async (page: Page, opener: Locator, { tabs = 0 } = {}) => {
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).last()).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"], dialog') !== null))
    .toBe(true)
  for (let tab = 0; tab < tabs; tab++) await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expectFocus(page, opener)
}

test('[ROOM-03] in a room the focus is never lost to the body: after every dialog, menu, Take and Hide', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, moving)
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
    for (const key of ['flow.title', 'bank.title'] as const) await openAndClose(page, tool(page, key))
  })

  await test.step('points return it to the composer, however they were opened', async () => {
    await tool(page, 'room.points').focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expectFocus(page, composer(page))
    await tool(page, 'room.points').click()
    await transferInDialog(page, '5', 'first')
    await confirmDone(page)
    await expectFocus(page, composer(page))
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
    await expectFocus(page, composer(page))
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
    await ann.call('sendMessage', { code, type: MessageType.text, content: 'thank you' })
    await tool(page, 'desk.done').focus()
    await page.keyboard.press('Enter')
    await expect(tool(page, 'desk.done')).toHaveCount(0)
    await expectFocus(page, composer(page))
  })
  expectCleanConsole(page)
})

test('[SHELL-05] on the office’s pages every dialog, drawer and menu returns the focus', async ({ browser }) => {
  const page = await browserOf(browser, server, moving)
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
    const finder = page.getByRole('button', { name: t('palette.title') })
    await openAndClose(page, finder)
    await page.keyboard.press('Enter')
    await page.keyboard.type('audit')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/audit/)
    await expectFocus(page, finder)
  })

  await test.step('the lists: add, edit, transfer, deposit, freeze', async () => {
    const dora = await browserOf(browser, server, moving)
    await signIn(dora, 'dora', PASSWORD)
    await openList(dora, 'menu.customer_service')
    // Past its end, where the page behind it has the focus for a moment.
    await openAndClose(dora, tool(dora, 'account.add_customer_service'), { tabs: 15 })
    await openAndClose(dora, button(dora, t('action.edit'), 'help2'))
    await openInMenuAndClose(dora, 'help2', 'action.freeze')
    expectCleanConsole(dora)
    await openList(page, 'menu.agent')
    await openAndClose(page, button(page, t('action.transaction'), 'dora'))
    await openInMenuAndClose(page, 'dora', 'action.deposit')
    await chooseInRow(row(page, 'dora'), t('action.deposit'))
    await transferInDialog(page, '1', 'more')
    await confirmDone(page)
    await expectFocus(page, button(page, t('table.more'), 'dora'))
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
    const small = await browserOf(browser, server, { ...phone, ...moving, hasTouch: false })
    await signIn(small, 'admin', server.password)
    const menu = tool(small, 'shell.more')
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
