/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import {
  browserOf,
  confirmDone,
  dialog,
  giveInDialog,
  PASSWORD,
  quiet,
  signIn,
  still,
  t,
  talk,
} from '../../support/people.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { comeIn, gameWallet, openDialog, openRoom, type People, settlePoints } from '../../support/points.ts'
import { type Server, startServer } from '../../support/server.ts'

let server: Server
let people: People
// What one does, the next finds.
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startServer()
  people = await settlePoints(server)
})
test.afterAll(() => server.remove())

test('[ENV-01] [ENV-04] [ENV-07] [ENV-09] [ENV-10] [TRF-01] [TRF-06] [TRF-07] every kind of points in both wallets, in two browsers', async ({
  browser,
}) => {
  const help = await browserOf(browser, server, still)
  const ann = await browserOf(browser, server, still)
  await signIn(help, 'help1', PASSWORD)
  await comeIn(ann, 'ann88')
  await openRoom(help, server, 'help1', people.ids.ann88)
  const arrives = async (remark: string) => {
    await confirmDone(help)
    for (const page of [help, ann]) await expect(talk(page).getByText(remark, { exact: true })).toBeVisible()
  }

  await test.step('what is refused moves nothing, and what was typed is still there', async () => {
    await openDialog(help, 'room.points_send')
    await expect(gameWallet(help)).toBeVisible()
    await giveInDialog(help, '99,999', 'too much')
    await expect(dialog(help).getByRole('alert')).toHaveText(t('transfer.not_enough'))
    await expect(dialog(help).getByLabel(t('transfer.amount'))).toHaveValue('99,999')
    await expect(dialog(help).getByLabel(t('transfer.remark'))).toHaveValue('too much')
    await giveInDialog(help, '100', 'main send')
    await arrives('main send')
  })

  await test.step('points come back from the main wallet, which has no choice of wallets', async () => {
    await openDialog(help, 'room.points_receive')
    await expect(gameWallet(help)).toHaveCount(0)
    await giveInDialog(help, '5', 'main back')
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
      await openDialog(help, kind)
      if (wallet === undefined) await expect(gameWallet(help)).toHaveCount(0)
      else if (wallet) await gameWallet(help).check()
      await giveInDialog(help, amount, remark)
      await arrives(remark)
    })
  }

  await test.step('a make-up says why', async () => {
    await openDialog(help, 'points.kind_make_up')
    await dialog(help).getByLabel(t('transfer.amount')).fill('4')
    await dialog(help)
      .getByRole('button', { name: t('action.next') })
      .click()
    await expect(dialog(help).getByText(t('transfer.remark_needed'))).toBeVisible()
    await giveInDialog(help, '4', 'our mistake')
    await arrives('our mistake')
  })

  await test.step('turnover that is due is said, and overridden by who may', async () => {
    await openDialog(help, 'room.points_receive')
    await expect(dialog(help).getByText('28.00')).toBeVisible()
    await dialog(help).getByRole('checkbox').check()
    await giveInDialog(help, '1', 'all the same')
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
    await openDialog(help, 'room.points_send')
    await dialog(help)
      .getByRole('link', { name: t('room.history') })
      .click()
    await expect(help).toHaveURL(/\/transaction\/list\/ann88$/)
    await expect(help.getByRole('row').filter({ hasText: 'our mistake' })).toBeVisible()
  })

  await test.step('a deposit from the list asks for the payment password; what was typed outlives each refusal', async () => {
    const payment_password = 'pay1234'
    await (await clientOf(server.url, 'help1', PASSWORD)).call('user/paymentPassword', {
      password: PASSWORD,
      payment_password,
      payment_password_confirmation: payment_password,
    })
    await help.goto('/user')
    const row = help.getByRole('row').filter({ hasText: 'ann88' })
    await row.getByRole('button', { name: t('action.deposit') }).click()
    const [amount, remark] = [
      dialog(help).getByLabel(t('transfer.amount')),
      dialog(help).getByLabel(t('transfer.remark')),
    ]
    const press = (key: Parameters<typeof t>[0]) =>
      dialog(help)
        .getByRole('button', { name: t(key) })
        .click()
    await remark.fill('a deposit')
    // Typed, pasted, in other digits: what is no amount does not become another one, and nothing is sent.
    for (const [typed, stands] of [
      ['0', '0'],
      ['-0', '0'],
      ['.', '.'],
      ['1e3', '.'],
    ] as const) {
      await amount.fill(typed)
      await press('action.next')
      await expect(dialog(help).getByText(t('transfer.amount_needed'))).toBeVisible()
      await expect(amount).toHaveValue(stands)
    }
    for (const [typed, stands] of [
      ['1,000', '1,000'],
      ['１２', '12'],
      ['1.23456', '1.2345'],
      ['-2.5', '2.5'],
      ['9,999.', '9,999.'],
    ] as const) {
      await amount.fill(typed)
      await expect(amount).toHaveValue(stands)
    }
    await press('action.next')
    await press('transfer.send')
    const password = dialog(help).getByLabel(t('payment.password'))
    const send = dialog(help).getByRole('button', { name: t('transfer.send') })
    await expect(send).toBeDisabled()
    await password.fill('wrong12')
    await send.click()
    await expect(dialog(help).getByRole('alert')).toHaveText(t('transfer.wrong_payment_password'))
    await password.fill(payment_password)
    await send.click()
    await expect(dialog(help).getByRole('alert')).toHaveText(t('transfer.not_enough'))
    await expect(amount).toHaveValue('9,999.')
    await expect(remark).toHaveValue('a deposit')
    await amount.fill('2.5')
    await press('action.next')
    await press('transfer.send')
    await password.fill(payment_password)
    await send.click()
    await confirmDone(help)
    await expect(row).toContainText('102.50')
  })
  for (const page of [help, ann]) quiet(page)
})

test('[HIST-01] [HIST-02] [ENV-08] [SR02-02] points read again: history, one transfer, files, SR02, whether they add up', async ({
  browser,
}) => {
  const top = await browserOf(browser, server, still)
  await signIn(top, 'admin', server.password)
  const line = (text: string) => top.getByRole('row').filter({ hasText: text })

  await test.step('history covers 24 hours, the audit log seven days', async () => {
    const span = async (start: string, end: string) => {
      const [from, to] = await Promise.all(
        [start, end].map((label) => top.getByLabel(label, { exact: true }).inputValue()),
      )
      return Date.parse(`${to}Z`) - Date.parse(`${from}Z`)
    }
    await top.goto('/audit')
    await expect(top.getByLabel(t('audit.from'), { exact: true })).toBeVisible()
    expect(await span(t('audit.from'), t('audit.to'))).toBe(7 * 86_400_000)
    await top.goto('/transaction/list/ann88')
    await expect(line('a gift to play')).toBeVisible()
    expect(await span(t('history.start'), t('history.end'))).toBe(86_400_000)
  })

  await test.step('one transfer with both sides, and what its remark said before', async () => {
    await line('our mistake')
      .getByRole('button', { name: t('history.details') })
      .click()
    await expect(dialog(top).getByText('dora')).toBeVisible()
    await dialog(top)
      .getByRole('button', { name: t('history.edit_remark') })
      .click()
    await dialog(top).last().getByLabel(t('transfer.remark')).fill('their mistake')
    await dialog(top)
      .last()
      .getByRole('button', { name: t('action.save') })
      .click()
    await expect(dialog(top).getByText(t('history.edits'))).toBeVisible()
    await expect(dialog(top).locator('.drawer-edits')).toContainText('our mistake')
  })

  await test.step('an admin takes it back, once', async () => {
    await dialog(top)
      .getByRole('button', { name: t('transfer.correct') })
      .click()
    const step = dialog(top).last()
    await step.getByLabel(t('transfer.remark')).fill('twice by mistake')
    await step.getByRole('button', { name: t('action.next') }).click()
    await step.getByRole('button', { name: t('transfer.send') }).click()
    await expect(dialog(top).last().getByText(t('done.transaction'))).toBeVisible()
    await dialog(top)
      .last()
      .getByRole('button', { name: t('action.ok') })
      .click()
    await top.keyboard.press('Escape')
    await expect(dialog(top)).toHaveCount(0)
    await expect(line('twice by mistake')).toContainText(t('transfer.kind_correction'))
    await expect(line('their mistake')).toContainText(t('status.taken_back'))
    await line('their mistake')
      .getByRole('button', { name: t('history.details') })
      .click()
    await expect(dialog(top).getByText(t('history.corrected_by'))).toBeVisible()
    await expect(dialog(top).getByRole('button', { name: t('transfer.correct') })).toHaveCount(0)
    await top.screenshot({ path: test.info().outputPath('taken-back-1440.png') })
    await dialog(top)
      .getByRole('button', { name: /^[0-9a-f]{8}-/ })
      .click()
    await expect(dialog(top).getByText('twice by mistake')).toBeVisible()
    await top.keyboard.press('Escape')
    await expect(dialog(top)).toHaveCount(0)
  })

  await test.step('the list goes into a file', async () => {
    const [file] = await Promise.all([
      top.waitForEvent('download'),
      top.getByRole('button', { name: t('account.export') }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^transactions-.*\.csv$/)
    expect(await readFile(await file.path(), 'utf8')).toContain('"their mistake"')
  })

  await test.step('on paper all rows stand, and nothing to press', async () => {
    await top.emulateMedia({ media: 'print' })
    await expect(line('a gift to play')).toBeVisible()
    await expect(top.getByRole('button', { name: t('account.export') })).toBeHidden()
    await top.emulateMedia({ media: null })
  })

  await test.step('SR02 leads from an operator to what it counts', async () => {
    // Yesterday's day total stands in for the time that a journey has not.
    await top.route('**/api/report/sr02', async (route) => {
      const reply = await route.fetch()
      const body = (await reply.json()) as { data: { days: { day: string }[] } }
      const [today] = body.data.days
      if (today) body.data.days = [{ ...today, day: '2026-01-01' }, today]
      await route.fulfill({ response: reply, json: body })
    })
    await top.goto('/report/sr02')
    await expect(top.getByRole('img', { name: t('report.chart') })).toBeVisible()
    await top.getByRole('img', { name: t('report.chart') }).press('ArrowRight')
    await expect(top.locator('.report-said')).toContainText('2026-01-01')
    await top.getByRole('button', { name: t('report.table_view') }).click()
    await expect(top.getByRole('row').filter({ hasText: '2026-01-01' })).toBeVisible()
    await line('dora')
      .getByRole('button', { name: t('report.open_transfers') })
      .click()
    await expect(top.getByText(t('history.counted_for', { name: 'dora' }))).toBeVisible()
    await expect(line('main send')).toBeVisible()
    await expect(line('opening'), 'an agent is no member').toHaveCount(0)
  })

  await test.step('the ledger adds up', async () => {
    await top.goto('/report/reconciliation')
    await expect(top.getByText(t('reconciliation.never'))).toBeVisible()
    await top.getByRole('button', { name: t('reconciliation.check') }).click()
    await expect(top.getByText(/^All \d+ rules hold\.$/)).toBeVisible()
    await expect(top.getByText(t('reconciliation.no_difference'))).toBeVisible()
    const seen = await new AxeBuilder({ page: top }).analyze()
    expect(seen.violations.map(({ id }) => id)).toEqual([])
  })
  quiet(top)
})
