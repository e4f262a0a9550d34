import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import {
  account,
  browserOf,
  confirmDone,
  dialog,
  transferInDialog,
  PASSWORD,
  expectCleanConsole,
  readQuestion,
  shareCode,
  signIn,
  signUp,
  t,
  messageLog,
  write,
  storeSession,
} from '../../support/people.ts'
import { signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { chooseInRow } from '../../support/lists.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

/** What the browser itself logs when the connection is cut. */
const CUT = /ERR_INTERNET_DISCONNECTED|WebSocket|ERR_FAILED|Failed to load resource/

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  for (const name of ['dora', 'payer']) {
    await addAccount(server, 'agent', name, { credit: '100' })
  }
  await account(server, 'payment-password', 'payer', '--password', 'pay123')
})
test.afterAll(() => server.remove())

/** Loses the next answer of a call. The returned function counts its requests. */
const loseAnswer = async (page: Page, call: string) => {
  let asked = 0
  await page.route(`**/api/${call}`, async (route) => {
    if (asked++) return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  return () => asked
}

const openConversation = async (page: Page, text: string) => {
  await page.goto('/chat/messaging')
  await page.getByText(text).first().click()
  await expect(messageLog(page).getByText(text)).toBeVisible()
}

test('[ROOM-12] [CONV-16] a connection cut in a conversation loses and duplicates nothing', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  // As over plain http: without a service worker, a script not loaded while online cannot be loaded offline.
  const ann = await browserOf(browser, server, { serviceWorkers: 'block' })
  await storeSession(dora, 'dora', PASSWORD)
  const readyForPhotos = ann.waitForResponse(/\/resize-[^/]*\.js$/)
  await signUp(ann, shareCode(dora), 'anncut')
  await write(ann, 'before the cut')
  await openConversation(dora, 'before the cut')

  await dora.context().setOffline(true)
  // One bar over the whole app, and no points meanwhile.
  await expect(dora.getByText(t('connection.nothing_kept'))).toBeVisible()
  await expect(dora.getByRole('button', { name: t('room.points') })).toBeDisabled()
  await write(dora, 'written without a line')
  await expect(dora.getByText(t('connection.kept', { n: 1 }))).toBeVisible()
  await expect(messageLog(dora).getByText('written without a line')).toBeVisible()
  // The tab holds it: closing the tab would lose it.
  const closing = dora.waitForEvent('dialog')
  await dora.close({ runBeforeUnload: true })
  const question = await closing
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await write(ann, 'said meanwhile')
  await dora.context().setOffline(false)

  await expect(messageLog(dora).getByText('said meanwhile')).toBeVisible({ timeout: 30_000 })
  await expect(dora.getByText(t('connection.try'))).toHaveCount(0)
  await expect(messageLog(ann).getByText('written without a line')).toBeVisible({ timeout: 30_000 })

  // The answer is lost: the browser gets the event or repeats the request, and there is one message.
  const lost = await loseAnswer(dora, 'sendMessage')
  await write(dora, 'the answer got lost')
  await expect(messageLog(ann).getByText('the answer got lost')).toBeVisible()
  await expect.poll(lost).toBeGreaterThan(0)

  // A photo: its answer is lost, then the connection.
  const upload = await loseAnswer(dora, 'sendMessage')
  const photo = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') }
  await dora.locator('input[type=file]').first().setInputFiles(photo)
  await expect.poll(upload).toBeGreaterThan(0)
  await dora.context().setOffline(true)
  await expect(messageLog(dora).getByRole('img')).toHaveCount(1)
  await dora.context().setOffline(false)
  await expect(messageLog(ann).getByRole('img')).toHaveCount(1, { timeout: 30_000 })

  // A page’s first photo is chosen offline: it waits in its place, before the message written after it.
  await readyForPhotos
  await ann.context().setOffline(true)
  await ann.locator('input[type=file]').first().setInputFiles(photo)
  await expect(messageLog(ann).getByRole('img')).toHaveCount(2)
  await write(ann, 'did you see it?')
  await ann.context().setOffline(false)
  await expect(messageLog(dora).getByText('did you see it?')).toBeVisible({ timeout: 30_000 })
  await expect(messageLog(dora).getByRole('img')).toHaveCount(2)
  const client = await clientOf(server.url, 'dora', PASSWORD)
  const code = (await client.call('room/list', {})).data.find(({ username }) => username === 'anncut')?.code ?? ''
  const { messages } = await client.call('room/history', { code })
  expect(messages.slice(-2).map(({ type }) => type)).toEqual([2, 1])

  // The page is in front all the time, but what comes with the connection was not seen when it came.
  await dora.bringToFront()
  await dora.context().setOffline(true)
  await expect(dora.getByText(t('connection.nothing_kept'))).toBeVisible()
  await write(ann, 'while you were away')
  await dora.bringToFront()
  await dora.context().setOffline(false)
  await expect(messageLog(dora).getByText('while you were away')).toBeVisible({ timeout: 30_000 })
  await expect(dora.getByRole('separator', { name: t('room.new') })).toBeVisible()

  // An unconfirmed internal note stays in the field; sent again, it is there once.
  await loseAnswer(dora, 'desk/whisper')
  await dora.getByRole('button', { name: t('desk.whisper'), exact: true }).click()
  await dora.getByLabel(t('desk.whisper_write')).fill('between us')
  await dora.getByLabel(t('desk.whisper_write')).press('Enter')
  await expect(dora.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
  await dora.getByRole('button', { name: t('desk.whisper_send') }).click()
  await expect(dora.getByLabel(t('desk.whisper_write'))).toHaveValue('')
  await dora.getByRole('button', { name: t('desk.reply'), exact: true }).click()

  // Accepting an envelope: the answer is lost, and the points arrive once.
  await account(server, 'withdraw-confirm', 'anncut', 'on')
  await dora.getByRole('button', { name: t('room.points') }).click()
  await transferInDialog(dora, '5', 'to accept')
  await confirmDone(dora)
  const accepted = await loseAnswer(ann, 'envelope/answer')
  await ann.getByRole('button', { name: t('points.accept') }).click()
  await expect.poll(accepted).toBeGreaterThan(0)
  await expect(messageLog(dora).getByText(t('status.success'))).toBeVisible()
  await expect(ann.getByRole('button', { name: t('points.accept') })).toHaveCount(0)
  const { data } = await client.call('user/list', { menu_id: 13, username: 'anncut' })
  expect(data.map(({ balance }) => balance)).toEqual(['5.0000'])

  await dora.reload()
  for (const page of [dora, ann]) {
    await expect(messageLog(page).getByText('the answer got lost')).toHaveCount(1)
    await expect(messageLog(page).getByText('written without a line')).toHaveCount(1)
    await expect(messageLog(page).getByRole('img')).toHaveCount(2)
    await expect(messageLog(page).getByText('between us')).toHaveCount(page === dora ? 1 : 0)
  }
  expectCleanConsole(dora, CUT)
  expectCleanConsole(ann, CUT)
})

test('[TRF-06] [ENV-09] [WIRE-09] the payment password is required: wrong once, then right', async ({ browser }) => {
  const payer = await browserOf(browser, server)
  const bob = await browserOf(browser, server)
  await storeSession(payer, 'payer', PASSWORD)
  await signUp(bob, shareCode(payer), 'bobpay')
  await write(bob, 'may I have 30?')
  await openConversation(payer, 'may I have 30?')
  await payer.getByRole('button', { name: t('room.points') }).click()
  await transferInDialog(payer, '30', 'with password')

  const field = dialog(payer).getByLabel(t('payment.password'))
  const send = dialog(payer).getByRole('button', { name: t('room.points_send') })
  await expect(send).toBeDisabled()
  await field.fill('wrong1')
  await send.click()
  await expect(dialog(payer).getByText(t('transfer.wrong_payment_password'))).toBeVisible()
  await field.fill('pay123')
  await send.click()
  await expect(dialog(payer).getByText('Transaction Success')).toBeVisible()
  await confirmDone(payer)
  await expect(messageLog(bob).getByText('30.00')).toHaveCount(1)
  expectCleanConsole(payer)
})

test('[TRF-08] [TRF-11] a refused transfer says why, moves nothing and keeps the typed values', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  await storeSession(dora, 'dora', PASSWORD)
  const member = await memberOf(server.url, shareCode(dora), 'cleoref')
  const move = async (amount: string) =>
    (await clientOf(server.url, 'dora', PASSWORD)).call('user/transaction', { id: member.id, amount, remark: 'x' })
  await move('1')
  await dora.goto('/user')
  const row = dora.getByRole('row').filter({ hasText: 'cleoref' })
  await row.getByRole('button', { name: t('action.transaction') }).click()
  // What the own wallet cannot give goes no further.
  await dialog(dora).getByLabel(t('transfer.amount')).fill('100.0001')
  await expect(dialog(dora).getByText(/^At most .* is possible now\.$/)).toBeVisible()
  await expect(dialog(dora).getByRole('button', { name: t('action.next') })).toBeDisabled()
  await dialog(dora)
    .getByRole('radio', { name: t('room.points_receive') })
    .check()
  await move('-1')
  await transferInDialog(dora, '1', 'nothing there')
  await expect(dialog(dora).getByText(t('transfer.member_not_enough'))).toBeVisible()
  await expect(dialog(dora).getByLabel(t('transfer.amount'))).toHaveValue('1')
  await expect(dialog(dora).getByLabel(t('transfer.remark'))).toHaveValue('nothing there')

  // A double click and a lost answer move points once.
  const lost = await loseAnswer(dora, 'user/transaction')
  await dialog(dora)
    .getByRole('radio', { name: t('room.points_send') })
    .check()
  await dialog(dora).getByLabel(t('transfer.amount')).fill('60')
  await dialog(dora)
    .getByRole('button', { name: t('action.next') })
    .dblclick()
  await expect(dialog(dora).getByText(t('transfer.confirm_title'), { exact: true })).toBeVisible()
  expect(lost()).toBe(0)
  await readQuestion(dora)
  await dialog(dora)
    .getByRole('button', { name: t('room.points_send') })
    .dblclick()
  await confirmDone(dora)
  expect(lost()).toBeGreaterThan(1)
  await dora.goto('/transaction/list/cleoref')
  await expect(dora.getByRole('row').filter({ hasText: 'cleoref' })).toHaveCount(3)
  expectCleanConsole(dora, CUT)
})

test('[AUTH-14] [WIRE-05] freezing an account ends its open session, and the next sign-in is refused', async ({
  browser,
}) => {
  await addAccount(server, 'cs', 'iced', { under: 'dora' })
  const iced = await browserOf(browser, server)
  await signIn(iced, 'iced', PASSWORD, '/chat/messaging')
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD, '/customer_service')
  const row = dora.getByRole('row').filter({ hasText: 'iced' })
  await chooseInRow(row, t('action.freeze'))
  await dialog(dora)
    .getByRole('button', { name: t('action.freeze') })
    .click()
  await iced.waitForURL('**/login**')
  await expect(iced.getByRole('alert')).toHaveText(t('session.frozen'))
  expect(await iced.evaluate(() => localStorage.getItem('user_token'))).toBeNull()
  await iced.getByLabel(t('session.login'), { exact: true }).fill('iced')
  await iced.getByLabel(t('session.password'), { exact: true }).fill(PASSWORD)
  await iced.getByRole('button', { name: t('session.enter'), exact: true }).click()
  await expect(iced.getByRole('alert')).toContainText(t('session.wrong_login'))
})
