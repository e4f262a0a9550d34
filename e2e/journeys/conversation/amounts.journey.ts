/// <reference lib="dom" />
import { expect, type Locator, type Page, test } from '@playwright/test'
import { startJourneyServer } from '../../support/journey-server.ts'
import {
  browserOf,
  dialog,
  expectCleanConsole,
  PASSWORD,
  phone,
  signInMember,
  storeSession,
  t,
} from '../../support/people.ts'
import { addPointsAccounts, openPointsDialog, openRoom, type People } from '../../support/points.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let people: People
test.beforeAll(async () => {
  server = await startJourneyServer()
  people = await addPointsAccounts(server)
})
test.afterAll(() => server.remove())

/** The field that the browser draws: React in the office, Preact on the member's page. */
const isOneReader = async (page: Page, amount: Locator) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await amount.press('ControlOrMeta+a')
    await amount.press('ControlOrMeta+v')
  }
  const type = async (text: string) => {
    await amount.fill('')
    await amount.pressSequentially(text)
  }
  for (const [typed, shown] of [
    ['12,5', '12.5'],
    ['1250', '1,250'],
    ['1,250.50', '1,250.50'],
    ['1.000.000', '1,000,000'],
    ['1e3', '1e3'],
    ['৫০০', '500'],
  ] as const) {
    await type(typed)
    await expect(amount, `typed ${typed}`).toHaveValue(shown)
  }
  await paste('Rp 1.250,50')
  await expect(amount).toHaveValue('1,250.50')
  for (const [pasted, why] of [
    ['deposit 500 THB on 28/11', t('amount.not_one')],
    ['500-1000', t('amount.not_one')],
    ['1.250', t('amount.two_readings', { more: '1250', less: '1.25' })],
    ['-500', t('amount.no_minus')],
  ] as const) {
    await paste(pasted)
    await expect(page.getByText(`${t('amount.not_pasted')} ${why}`)).toBeVisible()
    await expect(amount, `pasted ${pasted}`).toHaveValue('1,250.50')
  }
  // The caret keeps its place among the digits.
  await type('1234567')
  await amount.press('Home')
  await amount.press('ArrowRight')
  await amount.press('9')
  await expect(amount).toHaveValue('19,234,567')
  expect(await amount.evaluate((box: HTMLInputElement) => box.selectionStart)).toBe(2)
  // An input method: what it composes is taken once it is done.
  await amount.fill('')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Input.imeSetComposition', { text: '１２', selectionStart: 2, selectionEnd: 2 })
  await expect(amount).toHaveValue('１２')
  await devtools.send('Input.insertText', { text: '１２。５' })
  await expect(amount).toHaveValue('12.5')
}

test('[TEXT-01] the office reads what is typed, pasted and composed as one amount or refuses it', async ({
  browser,
}) => {
  const help = await browserOf(browser, server)
  await storeSession(help, 'help1', PASSWORD)
  await openRoom(help, server, 'help1', people.ids.ann88)
  await openPointsDialog(help, 'room.points_send')
  const amount = dialog(help).getByLabel(t('transfer.amount'))
  await isOneReader(help, amount)
  // A text that is dragged from another field.
  const remark = dialog(help).getByLabel(t('transfer.remark'))
  for (const [before, dragged, after] of [
    ['', '12,5', '12.5'],
    ['40', '77', '4,077'],
    ['40', '12,5', '40'],
  ] as const) {
    await amount.fill(before)
    await remark.fill(dragged)
    await remark.press('ControlOrMeta+a')
    await remark.dragTo(amount, { sourcePosition: { x: 16, y: 14 } })
    await expect(amount, `${dragged} behind ${before}`).toHaveValue(after)
  }
  expectCleanConsole(help)
})

test('[TEXT-01] an amount that is typed while the dialog loads is whole', async ({ browser }) => {
  const help = await browserOf(browser, server)
  await storeSession(help, 'help1', PASSWORD)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await help.route(/\/points-dialog[^/]*\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await openRoom(help, server, 'help1', people.ids.ann88)
  await help.keyboard.press('Alt+p')
  await expect(dialog(help)).toBeFocused()
  await help.keyboard.type('13')
  await help.keyboard.press('Backspace')
  await help.keyboard.type('2')
  // The field must not get it a second time when it takes the focus before the browser has put the letter in.
  const isLeft = await dialog(help).evaluate((box) =>
    box.dispatchEvent(new KeyboardEvent('keydown', { key: '5', bubbles: true, cancelable: true })),
  )
  expect(isLeft).toBe(false)
  release()
  const amount = dialog(help).getByLabel(t('transfer.amount'))
  await expect(amount).toBeFocused()
  await help.keyboard.type('00')
  await expect(amount).toHaveValue('12,500')
  await expect(help.getByLabel(t('message.write'))).toHaveValue('')
  expectCleanConsole(help)
})

test('[TEXT-01] the member’s page reads amounts as the office does', async ({ browser }) => {
  const ann = await browserOf(browser, server, phone)
  await signInMember(ann, 'ann88')
  await ann.getByRole('button', { name: /^Balance/ }).click()
  await isOneReader(ann, dialog(ann).getByLabel(t('member.to_game')))
  expectCleanConsole(ann)
})
