import { expect, type Page, test } from '@playwright/test'
import {
  asTitle,
  HOSTILE,
  startConversation,
  pressInDialog,
  addChatAccounts,
  watchForInjection,
} from '../../support/hostile.ts'
import { row } from '../../support/lists.ts'
import {
  browserOf,
  chooseInMenu,
  dialog,
  PASSWORD,
  phone,
  expectCleanConsole,
  signIn,
  t,
  messageLog,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addChatAccounts(server)
})
test.afterAll(() => server.remove())

test('[NOTE-01] [NOTE-02] [NOTE-03] [LIM-02] the notebook of a room, on desktop and phone', async ({ browser }) => {
  const { mika, member } = await startConversation(browser, server, 'annnotes')
  const opened = mika.context().waitForEvent('page')
  await chooseInMenu(mika, t('note.new_tab'))
  const book = await opened
  const expectNoInjection = watchForInjection(book)
  await expect(book).toHaveURL(/\/chat\/noteTitle\/\d+\/\d+$/)
  await expect(book.getByRole('heading', { name: t('note.notebook') })).toContainText('annnotes')
  expect(await book.getByLabel(t('table.rows_per_page')).locator('option').allTextContents()).toEqual([
    '10',
    '25',
    '50',
    'All',
  ])
  const button = (page: Page, key: Parameters<typeof t>[0]) =>
    page.getByRole('main').getByRole('button', { name: t(key), exact: true })

  await test.step('a note needs a title; Esc and a click outside keep the text; Cancel clears the error', async () => {
    await button(book, 'note.add').click()
    expect((await dialog(book).boundingBox())?.width).toBeLessThanOrEqual(500)
    await expect(dialog(book).getByLabel(t('note.friend'))).toBeDisabled()
    await expect(dialog(book).getByLabel(t('note.friend'))).toHaveValue('annnotes')
    const asked: string[] = []
    book.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await pressInDialog(book, 'account.create')
    await expect(dialog(book).getByText(t('field.needed'))).toBeVisible()
    expect(asked).not.toContain('/api/note/add')
    await dialog(book).getByLabel(t('note.title')).fill('half a title')
    await book.keyboard.press('Escape')
    await book.mouse.click(8, 400)
    await expect(dialog(book).getByLabel(t('note.title'))).toHaveValue('half a title')
    await expect(dialog(book).getByText(t('dialog.unsaved'))).toBeVisible()
    await pressInDialog(book, 'action.cancel')
    await expect(dialog(book)).toHaveCount(0)
    await button(book, 'note.add').click()
    await expect(dialog(book).getByText(t('field.needed'))).toHaveCount(0)
    await dialog(book).getByLabel(t('note.title')).fill(HOSTILE)
    await pressInDialog(book, 'account.create')
    await expect(book.getByText(t('done.created'))).toBeVisible()
  })

  const note = row(book, 'window.ran=1')
  for (const column of ['date_time', 'title', 'create_user', 'update_user'] as const)
    await expect(book.getByRole('columnheader', { name: t(`note.${column}`) })).toBeVisible()
  await expect(note).toContainText(t('note.unfinished'))
  expect(await note.getByRole('cell').nth(1).textContent()).toBe(asTitle(HOSTILE))
  await note.getByRole('button', { name: t('action.edit') }).click()
  await expect(dialog(book).getByLabel(t('note.title'))).toHaveValue(asTitle(HOSTILE))
  await dialog(book).getByLabel(t('account.status')).selectOption(t('note.finished'))
  await pressInDialog(book, 'action.save')
  await expect(note).toContainText(t('note.finished'))
  await expect(note.getByRole('cell').nth(3)).toHaveText('mika')

  await test.step('the content of a note; its title is escaped in the address', async () => {
    await note.getByRole('button', { name: t('note.description') }).click()
    await expect(book).toHaveURL(/\/chat\/noteContent\/\d+\/\d+\/./)
    await expect.poll(() => book.getByRole('heading', { level: 1 }).textContent()).toBe(asTitle(HOSTILE))
    await expect(book.getByText(t('note.no_content'))).toBeVisible()
    await button(book, 'note.add_content').click()
    await pressInDialog(book, 'account.create')
    await expect(dialog(book).getByText(t('field.needed'))).toBeVisible()
    await dialog(book).getByLabel(t('note.content')).fill(`${HOSTILE}\nand a second line`)
    await pressInDialog(book, 'account.create')
    const entry = row(book, 'second line')
    await expect(entry).toContainText('mika')
    expect(await entry.getByRole('cell').nth(1).textContent()).toBe(`${HOSTILE}\nand a second line`)
    await entry.getByRole('button', { name: t('action.edit') }).click()
    await dialog(book).getByLabel(t('note.content')).fill('rang at nine')
    await pressInDialog(book, 'action.save')
    await expect(row(book, 'rang at nine')).toHaveCount(1)
    await book.reload()
    await row(book, 'rang at nine')
      .getByRole('button', { name: t('action.delete') })
      .click()
    await pressInDialog(book, 'action.delete')
    await expect(row(book, 'rang at nine')).toHaveCount(0)
    await expectNoInjection()
    await book.getByRole('link', { name: t('action.back'), exact: true }).click()
    await expect(note).toHaveCount(1)
  })

  await test.step('on a phone: a title of dots, and back to the conversation', async () => {
    const small = await browserOf(browser, server, phone)
    await signIn(small, 'mika', PASSWORD, new URL(book.url()).pathname)
    await button(small, 'note.add').tap()
    await dialog(small).getByLabel(t('note.title')).fill('..')
    await pressInDialog(small, 'account.create')
    await small.getByRole('button', { name: /\.\./ }).tap()
    await small
      .getByRole('dialog')
      .getByRole('button', { name: t('note.description') })
      .tap()
    await expect(small.getByRole('heading', { level: 1 })).toHaveText('..')
    expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    expectCleanConsole(small)
    await book.getByRole('link', { name: t('menu.chat'), exact: true }).click()
    await expect(messageLog(book).getByText('hello from annnotes')).toBeVisible()
    await expect(messageLog(member).getByText('window.ran')).toHaveCount(0)
  })
  for (const page of [mika, member]) expectCleanConsole(page)
})
