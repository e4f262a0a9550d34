/// <reference lib="dom" />
import { expect, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  signInMember,
  confirmDone,
  dialog,
  storeSession,
  transferInDialog,
  PASSWORD,
  expectCleanConsole,
  readQuestion,
  signIn,
  t,
  messageLog,
} from '../../support/people.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { gameWallet, openPointsDialog, openRoom, type People, addPointsAccounts } from '../../support/points.ts'
import { chooseInRow } from '../../support/lists.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let people: People
test.beforeAll(async () => {
  server = await startJourneyServer()
  people = await addPointsAccounts(server)
})
test.afterAll(() => server.remove())

test('[ENV-01] [ENV-04] [ENV-07] [ENV-09] [ENV-10] [TRF-01] [TRF-07] every kind of transfer in both wallets, in two browsers', async ({
  browser,
}) => {
  const help = await browserOf(browser, server)
  const ann = await browserOf(browser, server)
  await storeSession(help, 'help1', PASSWORD)
  await signInMember(ann, 'ann88')
  await openRoom(help, server, 'help1', people.ids.ann88)
  const arrives = async (remark: string) => {
    await confirmDone(help)
    for (const page of [help, ann]) await expect(messageLog(page).getByText(remark, { exact: true })).toBeVisible()
  }

  await test.step('what the wallet cannot give goes no further, and says how much there is', async () => {
    await openPointsDialog(help, 'room.points_send')
    await expect(gameWallet(help)).toBeVisible()
    await dialog(help).getByLabel(t('transfer.amount')).fill('99999')
    await expect(dialog(help).getByLabel(t('transfer.amount'))).toHaveValue('99,999')
    await expect(dialog(help).getByText(/^At most .* is possible now\.$/)).toBeVisible()
    await expect(dialog(help).getByRole('button', { name: t('action.next') })).toBeDisabled()
    await transferInDialog(help, '100', 'main send')
    await arrives('main send')
  })

  await test.step('points are taken back from the main wallet, without a choice of wallets', async () => {
    await openPointsDialog(help, 'room.points_receive')
    await expect(gameWallet(help)).toHaveCount(0)
    await transferInDialog(help, '5', 'main back')
    await arrives('main back')
  })

  for (const [kind, wallet, amount, remark] of [
    ['points.kind_gift', false, '3.0001', 'a gift'],
    ['points.kind_gift', true, '1', 'a gift to play'],
    ['room.points_send', true, '20', 'game send'],
    ['points.kind_game_in', undefined, '7', 'to the game'],
    ['points.kind_game_out', undefined, '2', 'off the game'],
  ] as const) {
    await test.step(`${t(kind)} of ${amount}`, async () => {
      await openPointsDialog(help, kind)
      if (wallet === undefined) await expect(gameWallet(help)).toHaveCount(0)
      else if (wallet) await gameWallet(help).check()
      await transferInDialog(help, amount, remark)
      await arrives(remark)
    })
  }

  await test.step('a make-up needs a remark', async () => {
    await openPointsDialog(help, 'points.kind_make_up')
    await dialog(help).getByLabel(t('transfer.amount')).fill('4')
    await dialog(help)
      .getByRole('button', { name: t('action.next') })
      .click()
    await expect(dialog(help).getByText(t('transfer.remark_needed'))).toBeVisible()
    await transferInDialog(help, '4', 'our mistake')
    await arrives('our mistake')
  })

  await test.step('open turnover is shown, and may be overridden with the right to', async () => {
    await openPointsDialog(help, 'room.points_receive')
    await expect(dialog(help).getByText('28.00')).toBeVisible()
    await dialog(help).getByRole('checkbox').check()
    await transferInDialog(help, '1', 'all the same')
    await arrives('all the same')
  })

  await test.step('the member sees both wallets and moves points between them', async () => {
    await ann.getByRole('button', { name: /^Balance/ }).click()
    await expect(dialog(ann)).toContainText('101.0001')
    await expect(dialog(ann)).toContainText('26.00')
    await dialog(ann).getByLabel(t('member.to_game')).fill('500')
    await dialog(ann)
      .getByRole('button', { name: t('transfer.send') })
      .click()
    await expect(dialog(ann).getByRole('alert')).toHaveText(t('transfer.not_enough'))
    await expect(dialog(ann).getByLabel(t('member.to_game'))).toHaveValue('500')
    await dialog(ann).getByLabel(t('member.to_game')).fill('1.0001')
    await dialog(ann)
      .getByRole('button', { name: t('transfer.send') })
      .click()
    await expect(dialog(ann).getByText(t('member.moved_to_game', { amount: '1.0001' }))).toBeVisible()
    await expect(dialog(ann)).toContainText('27.0001')
    await expect(dialog(ann).getByText(t('transfer.kind_to_game'))).toBeVisible()
  })

  await test.step('a link leads from the dialog to the member’s history', async () => {
    await openPointsDialog(help, 'room.points_send')
    await dialog(help)
      .getByRole('link', { name: t('room.history') })
      .click()
    await expect(help).toHaveURL(/\/transaction\/list\/ann88$/)
    await expect(help.getByRole('row').filter({ hasText: 'our mistake' })).toBeVisible()
  })

  for (const page of [help, ann]) expectCleanConsole(page)
})

test('[TRF-01] [TRF-06] a deposit from the list asks for the payment password; typed fields survive each refusal', async ({
  browser,
}) => {
  await addAccount(server, 'cs', 'help3', { under: 'dora' })
  const payment_password = 'pay1234'
  await (await clientOf(server.url, 'help3', PASSWORD)).call('user/paymentPassword', {
    password: PASSWORD,
    payment_password,
    payment_password_confirmation: payment_password,
  })
  const page = await browserOf(browser, server)
  await signIn(page, 'help3', PASSWORD, '/user')
  const row = page.getByRole('row').filter({ hasText: 'ben77' })
  await chooseInRow(row, t('action.deposit'))
  const [amount, remark] = [
    dialog(page).getByLabel(t('transfer.amount')),
    dialog(page).getByLabel(t('transfer.remark')),
  ]
  const press = (key: Parameters<typeof t>[0]) =>
    dialog(page)
      .getByRole('button', { name: t(key) })
      .click()
  await remark.fill('a deposit')
  // Typed, pasted or in other digits: invalid input never becomes another amount, and nothing is sent.
  for (const [typed, shown] of [
    ['0', '0'],
    ['-0', '0'],
    ['.', '.'],
    ['1e3', '.'],
    ['1,000', '.'],
    ['1.23456', '.'],
  ] as const) {
    await amount.fill(typed)
    await press('action.next')
    await expect(dialog(page).getByText(t('transfer.amount_needed'))).toBeVisible()
    await expect(amount).toHaveValue(shown)
  }
  for (const [typed, shown] of [
    ['1,000.', '1,000.'],
    ['１２', '12'],
    ['1.250,5', '1,250.5'],
    ['-2.5', '1,250.5'],
  ] as const) {
    await amount.fill(typed)
    await expect(amount).toHaveValue(shown)
  }
  await amount.fill('9,999.')
  await expect(dialog(page).getByText(/^At most .* is possible now\.$/)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: t('action.next') })).toBeDisabled()
  await amount.fill('2.5')
  const password = dialog(page).getByLabel(t('payment.password'))
  const send = dialog(page).getByRole('button', { name: t('room.points_send') })
  const askForPassword = async () => {
    await press('action.next')
    await readQuestion(page)
    await press('room.points_send')
    await expect(send).toBeDisabled()
  }
  await askForPassword()
  await password.fill('wrong12')
  await send.click()
  await expect(dialog(page).getByRole('alert')).toHaveText(t('transfer.wrong_payment_password'))
  await press('action.back')
  await expect(amount).toHaveValue('2.5')
  await expect(remark).toHaveValue('a deposit')
  await askForPassword()
  await password.fill(payment_password)
  await send.click()
  await confirmDone(page)
  await expect(row).toContainText('2.50')
  expectCleanConsole(page)
})
