import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import {
  account,
  browserOf,
  confirmDone,
  dialog,
  giveInDialog,
  PASSWORD,
  quiet,
  shareCode,
  signIn,
  signUp,
  t,
  talk,
  write,
} from '../../support/people.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

/** What a cut line makes the browser say, which is not ours to silence. */
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

/** The next answer of a call gets lost on its way back. Tells how often it was asked. */
const lose = async (page: Page, call: string) => {
  let asked = 0
  await page.route(`**/api/${call}`, async (route) => {
    if (asked++) return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  return () => asked
}

const openTalk = async (page: Page, text: string) => {
  await page.goto('/chat/messaging')
  await page.getByText(text).first().click()
  await expect(talk(page).getByText(text)).toBeVisible()
}

test('[ROOM-12] a line cut in the middle of a talk loses nothing and doubles nothing', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  // As over plain http: what is not loaded while there is a line cannot be loaded without one.
  const ann = await browserOf(browser, server, { serviceWorkers: 'block' })
  await signIn(dora, 'dora', PASSWORD)
  const readyForPhotos = ann.waitForResponse(/\/resize-[^/]*\.js$/)
  await signUp(ann, await shareCode(dora), 'anncut')
  await write(ann, 'before the cut')
  await openTalk(dora, 'before the cut')

  await dora.context().setOffline(true)
  await write(dora, 'written without a line')
  await expect(talk(dora).getByText('written without a line')).toBeVisible()
  await write(ann, 'said meanwhile')
  await dora.context().setOffline(false)

  await expect(talk(dora).getByText('said meanwhile')).toBeVisible({ timeout: 30_000 })
  await expect(talk(ann).getByText('written without a line')).toBeVisible({ timeout: 30_000 })

  // The answer is lost on its way back: the browser hears of its message or asks again, and it is one message.
  const lost = await lose(dora, 'sendMessage')
  await write(dora, 'the answer got lost')
  await expect(talk(ann).getByText('the answer got lost')).toBeVisible()
  await expect.poll(lost).toBeGreaterThan(0)

  // A photo: the answer gets lost, and then the line.
  const upload = await lose(dora, 'sendMessage')
  const photo = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') }
  await dora.locator('input[type=file]').first().setInputFiles(photo)
  await expect.poll(upload).toBeGreaterThan(0)
  await dora.context().setOffline(true)
  await expect(talk(dora).getByRole('img')).toHaveCount(1)
  await dora.context().setOffline(false)
  await expect(talk(ann).getByRole('img')).toHaveCount(1, { timeout: 30_000 })

  // The first photo of a page is chosen without a line: it waits in its place, and what is written after it comes after it.
  await readyForPhotos
  await ann.context().setOffline(true)
  await ann.locator('input[type=file]').first().setInputFiles(photo)
  await expect(talk(ann).getByRole('img')).toHaveCount(2)
  await write(ann, 'did you see it?')
  await ann.context().setOffline(false)
  await expect(talk(dora).getByText('did you see it?')).toBeVisible({ timeout: 30_000 })
  await expect(talk(dora).getByRole('img')).toHaveCount(2)
  const client = await clientOf(server.url, 'dora', PASSWORD)
  const code = (await client.call('room/list', {})).data.find(({ username }) => username === 'anncut')?.code ?? ''
  const { messages } = await client.call('room/history', { code })
  expect(messages.slice(-2).map(({ type }) => type)).toEqual([2, 1])

  // A whisper that was said and not confirmed stays in its box; said again it is there once.
  await lose(dora, 'desk/whisper')
  await dora.getByRole('button', { name: t('desk.whisper'), exact: true }).click()
  await dora.getByLabel(t('desk.whisper_write')).fill('between us')
  await dora.getByLabel(t('desk.whisper_write')).press('Enter')
  await expect(dora.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
  await dora.getByRole('button', { name: t('desk.whisper_send') }).click()
  await expect(dora.getByLabel(t('desk.whisper_write'))).toHaveValue('')
  await dora.getByRole('button', { name: t('desk.reply'), exact: true }).click()

  // Accepting: the answer is lost, and the points are there once.
  await account(server, 'withdraw-confirm', 'anncut', 'on')
  await dora.getByRole('button', { name: t('room.points') }).click()
  await giveInDialog(dora, '5', 'to accept')
  await confirmDone(dora)
  const accepted = await lose(ann, 'envelope/answer')
  await ann.getByRole('button', { name: t('points.accept') }).click()
  await expect.poll(accepted).toBeGreaterThan(0)
  await expect(talk(dora).getByText(t('status.success'))).toBeVisible()
  await expect(ann.getByRole('button', { name: t('points.accept') })).toHaveCount(0)
  const { data } = await client.call('user/list', { menu_id: 13, username: 'anncut' })
  expect(data.map(({ balance }) => balance)).toEqual(['5.0000'])

  await dora.reload()
  for (const page of [dora, ann]) {
    await expect(talk(page).getByText('the answer got lost')).toHaveCount(1)
    await expect(talk(page).getByText('written without a line')).toHaveCount(1)
    await expect(talk(page).getByRole('img')).toHaveCount(2)
    await expect(talk(page).getByText('between us')).toHaveCount(page === dora ? 1 : 0)
  }
  quiet(dora, CUT)
  quiet(ann, CUT)
})

test('[TRF-06] [ENV-09] [WIRE-09] the payment password is asked for, wrong once, then right', async ({ browser }) => {
  const payer = await browserOf(browser, server)
  const bob = await browserOf(browser, server)
  await signIn(payer, 'payer', PASSWORD)
  await signUp(bob, await shareCode(payer), 'bobpay')
  await write(bob, 'may I have 30?')
  await openTalk(payer, 'may I have 30?')
  await payer.getByRole('button', { name: t('room.points') }).click()
  await giveInDialog(payer, '30', 'with password')

  const field = dialog(payer).getByLabel(t('payment.password'))
  const send = dialog(payer).getByRole('button', { name: t('transfer.send') })
  await expect(send).toBeDisabled()
  await field.fill('wrong1')
  await send.click()
  await expect(dialog(payer).getByText(t('transfer.wrong_payment_password'))).toBeVisible()
  await field.fill('pay123')
  await send.click()
  await expect(dialog(payer).getByText('Transaction Success')).toBeVisible()
  await confirmDone(payer)
  await expect(talk(bob).getByText('30.00')).toHaveCount(1)
  quiet(payer)
})

test('[TRF-08] [TRF-11] a refused transfer says why, moves nothing and keeps what was typed', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  const cleo = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD)
  await signUp(cleo, await shareCode(dora), 'cleoref')
  await dora.goto('/user')
  const row = dora.getByRole('row').filter({ hasText: 'cleoref' })
  await row.getByRole('button', { name: t('action.transaction') }).click()
  await giveInDialog(dora, '100.0001', 'too much')
  await expect(dialog(dora).getByText(t('transfer.over_credit'))).toBeVisible()
  await expect(dialog(dora).getByLabel(t('transfer.amount'))).toHaveValue('100.0001')
  await expect(dialog(dora).getByLabel(t('transfer.remark'))).toHaveValue('too much')
  await giveInDialog(dora, '-1', 'nothing there')
  await expect(dialog(dora).getByText(t('transfer.member_not_enough'))).toBeVisible()

  // A double click on the last button and a lost answer move points once.
  const lost = await lose(dora, 'user/transaction')
  await dialog(dora).getByLabel(t('transfer.amount')).fill('60')
  await dialog(dora)
    .getByRole('button', { name: t('action.next') })
    .click()
  await dialog(dora)
    .getByRole('button', { name: t('transfer.send') })
    .dblclick()
  await confirmDone(dora)
  expect(lost()).toBeGreaterThan(1)
  await dora.goto('/transaction/list/cleoref')
  await expect(dora.getByRole('row').filter({ hasText: 'cleoref' })).toHaveCount(1)
  quiet(dora, CUT)
})

test('[AUTH-14] [WIRE-05] a freeze ends what is open, and says so', async ({ browser }) => {
  await addAccount(server, 'cs', 'iced', { under: 'dora' })
  const iced = await browserOf(browser, server)
  await signIn(iced, 'iced', PASSWORD, '/chat/messaging')
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD, '/customer_service')
  const row = dora.getByRole('row').filter({ hasText: 'iced' })
  await row.getByRole('button', { name: t('action.freeze') }).click()
  await dialog(dora)
    .getByRole('button', { name: t('action.freeze') })
    .click()
  await iced.waitForURL('**/login**')
  await expect(iced.getByLabel(t('session.login'), { exact: true })).toBeVisible()
  expect(await iced.evaluate(() => localStorage.getItem('user_token'))).toBeNull()
  await iced.getByLabel(t('session.login'), { exact: true }).fill('iced')
  await iced.getByLabel(t('session.password'), { exact: true }).fill(PASSWORD)
  await iced.getByRole('button', { name: t('session.enter') }).click()
  await expect(iced.getByRole('alert')).toContainText(t('session.wrong_login'))
})
