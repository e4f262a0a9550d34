/// <reference lib="dom" />
import { MessageType } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { signIn as signInClient, signUp as signUpClient } from '../../support/client.ts'
import { coveredBy } from '../../support/page/covered-by.ts'
import { expectFocus } from '../../support/page/focus.ts'
import { databaseOf } from '../../support/faults/kills.ts'
import { browserOf, PASSWORD, phone, expectCleanConsole, signIn, t, messageLog } from '../../support/people.ts'
import { addAccount } from '../../support/add-account.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'cs', 'carl', { under: 'dora' })
})
test.afterAll(() => server.remove())

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const box = (page: Page) => page.getByLabel(t('message.write'))
const tool = (page: Page, key: Parameters<typeof t>[0]) => page.getByRole('button', { name: t(key), exact: true })
const line = (page: Page, name: string) =>
  page
    .getByRole('list', { name: t('chat.rooms') })
    .getByRole('listitem')
    .filter({ hasText: name })
const noteBox = (page: Page) => page.getByLabel(t('desk.whisper_write'))

test('[CONV-03] [CONV-04] [CONV-05] [CONV-07] an hour’s work by keyboard only: next, take, note, done, send and next', async ({
  browser,
}) => {
  const dora = await signInClient(server.url, 'dora', PASSWORD)
  const { share_code } = await dora.call('user/view', {})
  const first = await signUpClient(server.url, share_code, 'first1')
  const second = await signUpClient(server.url, share_code, 'second2')
  const third = await signUpClient(server.url, share_code, 'third3')
  for (const member of [first, second, third]) {
    const code = (await member.call('room/list', {})).data[0]?.code ?? ''
    await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
  }
  const page = await browserOf(browser, server)
  await signIn(page, 'carl', PASSWORD, '/chat/messaging')
  await expect(page.getByRole('listitem')).toHaveCount(3)

  await test.step('next opens the room that has waited longest; send-and-next goes on', async () => {
    await page.keyboard.press('Alt+N')
    await expect(title(page)).toContainText('first1')
    await expect(box(page)).toBeFocused()
    await page.keyboard.type('Good morning')
    await page.keyboard.press('Control+Enter')
    await expect(title(page)).toContainText('second2')
    await expect(box(page)).toBeFocused()
    await expect(box(page)).toHaveValue('')
    const code = (await first.call('room/list', {})).data[0]?.code ?? ''
    await expect
      .poll(async () => (await first.call('room/history', { code })).messages.at(-1)?.content)
      .toBe('Good morning')
  })

  await test.step('a click on the open room’s row leads back to its box', async () => {
    await page.getByRole('listitem').filter({ hasText: 'second2' }).getByRole('link').click()
    await expect(box(page)).toBeFocused()
  })

  await test.step('take, hand over and done', async () => {
    await page.keyboard.press('Alt+T')
    await expect(page.locator('.room-owner')).toContainText(t('desk.mine'))
    await page.keyboard.press('Alt+O')
    await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Alt+D')
    await expect(page.getByRole('button', { name: t('desk.done'), exact: true })).toHaveCount(0)
  })

  await test.step('an internal note is marked as one and has its own draft; Esc returns to the reply', async () => {
    await box(page).focus()
    await page.keyboard.type('for the member')
    await page.keyboard.press('Alt+W')
    await expect(noteBox(page)).toBeFocused()
    await expect(noteBox(page)).toHaveValue('')
    await expect(page.getByText(t('desk.note_readers', { name: 'second2' }))).toBeVisible()
    const [paper, plain] = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement)
      const probe = document.createElement('i')
      probe.style.background = style.getPropertyValue('--note')
      document.body.append(probe)
      const wanted = getComputedStyle(probe).backgroundColor
      probe.remove()
      return [wanted, getComputedStyle(document.querySelector('.c-composer') ?? document.body).backgroundColor]
    })
    expect(plain).toBe(paper)
    await page.keyboard.type('asked twice')
    await page.keyboard.press('Enter')
    await expect(messageLog(page).getByText('asked twice')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(box(page)).toBeFocused()
    await expect(box(page)).toHaveValue('for the member')
    await box(page).fill('')
  })

  await test.step('from an internal note the keys of the reply work too, and the note keeps its draft', async () => {
    await page.keyboard.press('Alt+W')
    await page.keyboard.type('half a note')
    await page.keyboard.press('Alt+Q')
    await expect(page.locator('.c-quote-bar')).toBeVisible()
    await expect(box(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+W')
    await expect(noteBox(page)).toHaveValue('half a note')
    await page.keyboard.press('Alt+P')
    await expect(page.getByRole('dialog').getByLabel(t('transfer.amount'))).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(box(page)).toBeFocused()
    await page.keyboard.press('Alt+W')
    await noteBox(page).fill('')
    await page.keyboard.press('Escape')
  })

  await test.step('the key of the panel hides the member’s facts, and shows them again', async () => {
    const panel = page.getByRole('complementary', { name: t('panel.title') })
    await expect(panel).toBeVisible()
    await page.keyboard.press('Alt+I')
    await expect(panel).toHaveCount(0)
    await page.keyboard.press('Alt+I')
    await expect(panel).toBeVisible()
  })

  await test.step('the list of keys opens from the text field and names every action', async () => {
    await page.keyboard.press('Control+/')
    const keys = page.getByRole('dialog')
    for (const word of ['keys.waiting', 'desk.done', 'keys.send_next', 'desk.whisper', 'chat.mark_unread'] as const)
      await expect(keys.getByText(t(word), { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(keys).toHaveCount(0)
    await page
      .getByRole('navigation')
      .getByRole('button', { name: t('keys.title') })
      .click()
    await expect(keys).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('a wait becomes late and overdue by the group’s own limits, in word and shape', async () => {
    await page.keyboard.press('Alt+N')
    await expect(title(page)).toContainText('third3')
    const wait = title(page).locator('.room-waiting')
    await expect(wait).toContainText(t('chat.wait_waiting'))
    const database = await databaseOf(server)
    const waited = async (minutes: number) => {
      await database.query(`update rooms set waiting_since = now() - $1 * interval '1 minute' where id = $2`, [
        minutes,
        Number(/messaging\/(\d+)/.exec(page.url())?.[1]),
      ])
      await page.reload()
    }
    await waited(3)
    await expect(wait).toContainText(t('chat.wait_late'))
    await waited(6)
    await expect(wait).toContainText(t('chat.wait_overdue'))
    await expect(page.getByRole('navigation').locator('[data-wait=overdue]')).toBeVisible()
    await dora.call('setting/save', { late_after: 30, overdue_after: 60 })
    await expect(wait).toContainText(t('chat.wait_waiting'))
    await database.end()
  })
  expectCleanConsole(page)
})

test('[CONV-05] a colleague’s room takes no input, and offers to take over', async ({ browser }) => {
  const dora = await signInClient(server.url, 'dora', PASSWORD)
  const { share_code } = await dora.call('user/view', {})
  const member = await signUpClient(server.url, share_code, 'held44')
  const code = (await member.call('room/list', {})).data[0]?.code ?? ''
  await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
  await dora.call('desk/take', { code, from: null })
  const page = await browserOf(browser, server, phone)
  await signIn(page, 'carl', PASSWORD, '/chat/messaging')
  await page.getByRole('listitem').filter({ hasText: 'held44' }).getByRole('link').tap()
  await expect(page.getByText(t('desk.answers_here', { name: 'dora' }))).toBeVisible()
  await page.keyboard.type('to nobody')
  await page.keyboard.press('Enter')

  // The key of points leaves an internal note, and the amount that follows is not typed into it.
  await page.getByRole('button', { name: t('desk.whisper'), exact: true }).tap()
  await page.getByLabel(t('desk.whisper_write')).fill('VIP')
  await page.keyboard.press('Alt+P')
  await expect(page.getByText(t('desk.answers_here', { name: 'dora' }))).toBeVisible()
  await page.keyboard.type('500')
  await page.getByRole('button', { name: t('desk.whisper'), exact: true }).tap()
  await expect(page.getByLabel(t('desk.whisper_write'))).toHaveValue('VIP')
  await page.getByLabel(t('desk.whisper_write')).press('Escape')

  await page.getByRole('button', { name: t('desk.take_over'), exact: true }).tap()
  await expect(box(page)).toHaveValue('')
  expect((await member.call('room/history', { code })).messages.map(({ content }) => content)).toEqual(['hello'])
  expectCleanConsole(page)
})

test('[CONV-03] [ROOM-04] hiding a room opens the next one, and Undo brings it back', async ({ browser }) => {
  await addAccount(server, 'agent', 'dena')
  const dena = await signInClient(server.url, 'dena', PASSWORD)
  const { share_code } = await dena.call('user/view', {})
  for (const name of ['hidea', 'hideb']) await signUpClient(server.url, share_code, name)
  const page = await browserOf(browser, server)
  await signIn(page, 'dena', PASSWORD, '/chat/messaging')
  await line(page, 'hideb').getByRole('link').click()
  await expect(title(page)).toContainText('hideb')
  await box(page).fill('half a word')

  await test.step('by shortcut, and Undo by shortcut', async () => {
    await page.keyboard.press('Alt+H')
    await expect(title(page)).toContainText('hidea')
    await expectFocus(page, box(page))
    await expect(line(page, 'hideb')).toHaveCount(0)
    await expect(page.locator('.snackbars')).toContainText(t('chat.done_hide', { n: 1 }))
    await page.keyboard.press('Alt+Z')
    await expect(title(page)).toContainText('hideb')
    await expect(line(page, 'hideb')).toHaveCount(1)
    await expectFocus(page, box(page))
    await expect(box(page)).toHaveValue('half a word')
  })

  await test.step('what is said covers no control, on a large and on a small screen', async () => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1280, height: 720 },
    ]) {
      await page.setViewportSize(size)
      await page.keyboard.press('Alt+M')
      await expect(page.getByRole('textbox', { name: t('panel.add_note') })).toBeFocused()
      await page.keyboard.type('Calls at night')
      await page.keyboard.press('Enter')
      const said = page.locator('.snackbar')
      await expect(said).toHaveText(t('panel.note_saved'))
      expect(await said.evaluate(coveredBy)).toEqual([])
      await expect(said).toHaveCount(0)
      await page.keyboard.press('Escape')
    }
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  await test.step('by its button, and Undo reached by Tab', async () => {
    await tool(page, 'room.more').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: t('chat.hide'), exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(title(page)).toContainText('hidea')
    await expectFocus(page, box(page))
    const undo = page.locator('.snackbars').getByRole('button', { name: t('action.undo') })
    await expect(undo).toBeVisible()
    for (let n = 0; n < 60 && (await undo.and(page.locator(':focus')).count()) === 0; n++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(title(page)).toContainText('hideb')
    await expectFocus(page, box(page))
  })

  await test.step('when no room is left, the focus is in the list', async () => {
    await page.keyboard.press('Alt+H')
    await expect(title(page)).toContainText('hidea')
    await expect(line(page, 'hideb')).toHaveCount(0)
    await page.keyboard.press('Alt+H')
    await expect(page.getByText(t('chat.pick'))).toBeVisible()
    await expectFocus(page, page.locator('.room-list'))
    await expect(page.locator('.snackbars')).toContainText(t('chat.done_hide', { n: 1 }))
    await page.keyboard.press('Alt+Z')
    await expect(title(page)).toContainText('hidea')
    await expectFocus(page, box(page))
  })
  expectCleanConsole(page)

  await test.step('on a phone the list is shown, and Undo opens the room again', async () => {
    const small = await browserOf(browser, server, phone)
    await signIn(small, 'dena', PASSWORD, '/chat/messaging')
    await line(small, 'hidea').getByRole('link').tap()
    await tool(small, 'room.more').tap()
    await small.getByRole('menuitem', { name: t('chat.hide'), exact: true }).tap()
    await expect(line(small, 'hidea')).toHaveCount(0)
    expect(await small.evaluate(() => document.activeElement === document.body)).toBe(false)
    const edge = (of: string, side: 'top' | 'bottom') =>
      small.locator(of).evaluate((element, name) => element.getBoundingClientRect()[name], side)
    expect(await edge('.snackbar', 'bottom')).toBeLessThanOrEqual(await edge('.c-tabs', 'top'))
    await tool(small, 'action.undo').tap()
    await expect(title(small)).toContainText('hidea')
    expectCleanConsole(small)
  })
})
