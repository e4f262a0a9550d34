/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { expectNoFaults } from '../../support/page/axe.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { ledgerCheck } from '../../support/faults/kills.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import {
  browserOf,
  dialog,
  messageLog,
  storeSession,
  PASSWORD,
  phone,
  expectCleanConsole,
  readQuestion,
  signIn,
  signInMember,
  t,
} from '../../support/people.ts'
import { browserWithPasskeys } from '../../support/page/passkey-device.ts'
import { addPointsAccounts, type People } from '../../support/points.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let ids: People['ids']
test.beforeAll(async () => {
  server = await startJourneyServer()
  ;({ ids } = await addPointsAccounts(server))
  const help1 = await clientOf(server.url, 'help1', PASSWORD)
  for (const [type, amount, platform, remark] of [
    [1, '100', 1, 'main send'],
    [3, '1', 2, 'a gift to play'],
    [4, '4', 1, 'our mistake'],
  ] as const)
    await help1.call('transaction/add', { member_id: ids.ann88, type, amount, platform, remark })
  const free = { member_id: ids.ben77, type: TransferKind.send, amount: '50', audit_amount: '0' } as const
  await help1.call('transaction/add', free)
})
test.afterAll(() => server.remove())

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('[HIST-01] history covers 24 hours, the audit log seven days', async ({ browser }) => {
  const top = await browserOf(browser, server)
  await signIn(top, 'admin', server.password, '/audit')
  const span = async (start: string, end: string) => {
    const [from, to] = await Promise.all(
      [start, end].map((label) => top.getByLabel(label, { exact: true }).inputValue()),
    )
    return Date.parse(`${to}Z`) - Date.parse(`${from}Z`)
  }
  const openDates = () => top.getByRole('button', { name: t('filter.dates'), exact: true }).click()
  await openDates()
  await expect(top.getByLabel(t('audit.from'), { exact: true })).toBeVisible()
  expect(await span(t('audit.from'), t('audit.to'))).toBe(7 * 86_400_000)
  await top.goto('/transaction/list/ann88')
  await expect(row(top, 'a gift to play')).toBeVisible()
  await openDates()
  await expect(top.getByLabel(t('history.start'), { exact: true })).toBeVisible()
  expect(await span(t('history.start'), t('history.end'))).toBe(86_400_000)
  expectCleanConsole(top)
})

test('[HIST-02] [ENV-08] one transfer: both sides, an edited remark, a correction by an admin, and an export', async ({
  browser,
}) => {
  const top = await browserOf(browser, server)
  await signIn(top, 'admin', server.password, '/transaction/list/ann88')
  await test.step('one transfer with both sides and its earlier remark', async () => {
    await row(top, 'our mistake')
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

  await test.step('an admin corrects it, once', async () => {
    await dialog(top)
      .getByRole('button', { name: t('transfer.correct') })
      .click()
    const step = dialog(top).last()
    await step.getByLabel(t('transfer.remark')).fill('twice by mistake')
    await step.getByRole('button', { name: t('action.next') }).click()
    await readQuestion(top)
    await step.getByRole('button', { name: t('transfer.correct_act', { amount: '' }).trim() }).click()
    await expect(dialog(top).last().getByText(t('done.transaction'))).toBeVisible()
    await dialog(top)
      .last()
      .getByRole('button', { name: t('action.ok') })
      .click()
    await top.keyboard.press('Escape')
    await expect(dialog(top)).toHaveCount(0)
    await expect(row(top, 'twice by mistake')).toContainText(t('transfer.kind_correction'))
    await expect(row(top, 'their mistake')).toContainText(t('status.taken_back'))
    await row(top, 'their mistake')
      .getByRole('button', { name: t('history.details') })
      .click()
    await expect(dialog(top).getByText(t('history.corrected_by'))).toBeVisible()
    await expect(dialog(top).getByRole('button', { name: t('transfer.correct') })).toHaveCount(0)
    await dialog(top)
      .getByRole('button', { name: /^[0-9a-f]{8}-/ })
      .click()
    await expect(dialog(top).getByText('twice by mistake')).toBeVisible()
    await top.keyboard.press('Escape')
    await expect(dialog(top)).toHaveCount(0)
  })

  await test.step('the list is exported', async () => {
    const [file] = await Promise.all([
      top.waitForEvent('download'),
      top.getByRole('button', { name: t('account.export') }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^transactions-.*\.csv$/)
    expect(await readFile(await file.path(), 'utf8')).toContain('"their mistake"')
  })
  expectCleanConsole(top)
})

test('[HIST-01] printed history has all rows and no buttons', async ({ browser }) => {
  const top = await browserOf(browser, server)
  await signIn(top, 'admin', server.password, '/transaction/list/ann88')
  await top.emulateMedia({ media: 'print' })
  await expect(row(top, 'a gift to play')).toBeVisible()
  await expect(top.getByRole('button', { name: t('account.export') })).toBeHidden()
  await top.emulateMedia({ media: null })
  expectCleanConsole(top)
})

test('[SR02-02] SR02 links an operator to the transfers it counts', async ({ browser }) => {
  const top = await browserOf(browser, server)
  await storeSession(top, 'admin', server.password)
  // A day total of yesterday is inserted, since a journey cannot wait a day.
  await top.route('**/api/report/sr02', async (route) => {
    const reply = await route.fetch()
    const body = (await reply.json()) as { data: { days: { day: string }[] } }
    const [today] = body.data.days
    if (today) body.data.days = [{ ...today, day: '2026-01-01' }, today]
    await route.fulfill({ response: reply, json: body })
  })
  await top.goto('/report/sr02')
  await expect(top.getByRole('img', { name: t('report.by_day') })).toBeVisible()
  await top.getByRole('img', { name: t('report.by_day') }).press('ArrowRight')
  await expect(top.locator('.report-said')).toContainText('2026-01-01')
  await top.getByRole('button', { name: t('report.table_view') }).click()
  await expect(top.getByRole('row').filter({ hasText: '2026-01-01' })).toBeVisible()
  await row(top, 'dora')
    .getByRole('button', { name: t('report.open_transfers') })
    .click()
  await expect(top.getByText(t('history.counted_for', { name: 'dora' }))).toBeVisible()
  await expect(row(top, 'main send')).toBeVisible()
  await expect(row(top, 'opening'), 'an agent is no member').toHaveCount(0)
  expectCleanConsole(top)
})

test('the reconciliation page: never checked, then balanced', async ({ browser }) => {
  const top = await browserOf(browser, server)
  await signIn(top, 'admin', server.password, '/report/reconciliation')
  await expect(top.getByText(t('reconciliation.never'))).toBeVisible()
  await top.getByRole('button', { name: t('reconciliation.check') }).click()
  await expect(top.getByText(/^All \d+ rules hold\.$/)).toBeVisible()
  await expect(top.getByText(t('reconciliation.no_difference'))).toBeVisible()
  await expectNoFaults(top)
  expectCleanConsole(top)
})

test('[CASH-01] [CASH-03] [CASH-04] a member asks on its phone, customer service pays by keyboard, and both see it', async ({
  browser,
}) => {
  const admin = await clientOf(server.url, 'admin', server.password)
  await admin.call('setting/save', { cash_requests: 1 })
  const ben = await browserOf(browser, server, phone)
  await signInMember(ben, 'ben77')
  await ben.getByRole('button', { name: t('member.balance') }).click()
  await ben.getByRole('radio', { name: t('cash.out') }).check({ force: true })
  await ben.getByLabel(t('cash.amount')).fill('20')
  await ben.getByRole('button', { name: t('cash.ask_for', { amount: '20.00' }) }).click()
  await expect(messageLog(ben).getByText(t('cash.you_asked_out'))).toBeVisible()
  const said = t('message.kind_points', { kind: t('cash.you_asked_out'), amount: '−20.00' })
  await expect(ben.getByRole('status').filter({ hasText: said })).toBeAttached()
  await expect(ben.getByRole('button', { name: t('member.balance') })).toBeFocused()

  const help = await browserOf(browser, server)
  await signIn(help, 'help1', PASSWORD, '/chat/messaging')
  await help.getByRole('link', { name: t('menu.requests') }).click()
  const take = help.getByRole('button', { name: new RegExp(`^${t('cash.take')} `) })
  await expect(take).toBeFocused()
  await help.keyboard.press('Enter')
  const act = t('requests.pay_out', { amount: '20.00', name: 'ben77' })
  const pay = help.getByRole('button', { name: act })
  await expect(pay).toBeFocused()
  await help.keyboard.press('Enter')
  await expect(dialog(help).getByText(t('transfer.confirm_title'))).toBeVisible()
  const paid = t('requests.have_paid', { amount: '20.00' })
  await expect(dialog(help).last().getByRole('button', { name: paid })).toBeFocused()
  await readQuestion(help)
  await help.keyboard.press('Enter')
  await expect(help.getByText(t('requests.empty'))).toBeVisible()

  await expect(messageLog(ben).getByText(t('cash.state_paid'))).toBeVisible()
  await help.goto('/transaction/list/ben77')
  await expect(row(help, '20.00')).toContainText(t('status.success'))
  expect(await ledgerCheck(server)).not.toContain('✗')
  expectCleanConsole(help)
  expectCleanConsole(ben)
})

test('[CASH-04] [CAPS-02] [CAPS-03] [PASS-02] a request above a limit is approved on a phone with a passkey, and all books agree', async ({
  browser,
}) => {
  const admin = await clientOf(server.url, 'admin', server.password)
  await admin.call('setting/save', { cash_requests: 1 })
  const help1 = await clientOf(server.url, 'help1', PASSWORD)
  await help1.call('transaction/add', {
    member_id: ids.ben77,
    type: TransferKind.send,
    amount: '800',
    audit_amount: '0',
  })
  await admin.call('user/saveAbilities', { id: ids.dora, may_approve: 1 })
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  const limit = { type: TransferKind.receive, transfer: '500', hour: null, day: null, member: null } as const
  await dora.call('limit/save', { id: ids.help1, limits: [limit] })
  const payment = { payment_password: 'pay1234', payment_password_confirmation: 'pay1234' }
  await dora.call('user/paymentPassword', { password: PASSWORD, ...payment })
  const [ben, help, head] = [
    await browserOf(browser, server, phone),
    await browserOf(browser, server),
    await browserWithPasskeys(browser, server, phone),
  ]
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  await test.step('the head adds a passkey to its phone', async () => {
    await signIn(head, 'dora', PASSWORD, '/setup/self')
    await press(head, t('passkey.add'))
    await head.getByLabel(t('payment.login_password')).last().fill(PASSWORD)
    await press(head, t('action.next'))
    await press(head, t('security.recovery_kept'))
    await expect(head.getByText(t('passkey.unused'))).toBeVisible()
  })

  await test.step('the member asks, and customer service pays above its limit', async () => {
    await signInMember(ben, 'ben77')
    await ben.getByRole('button', { name: t('member.balance') }).click()
    await ben.getByRole('radio', { name: t('cash.out') }).check({ force: true })
    await ben.getByLabel(t('cash.amount')).fill('800')
    await press(ben, t('cash.ask_for', { amount: '800.00' }))
    await signIn(help, 'help1', PASSWORD, '/cash')
    await help.getByRole('button', { name: new RegExp(`^${t('cash.take')} `) }).click()
    const act = t('requests.pay_out', { amount: '800.00', name: 'ben77' })
    await press(help, act)
    await dialog(help).last().getByLabel(t('approval.for_approver')).fill('Won it all')
    await dialog(help)
      .last()
      .getByRole('button', { name: t('action.next') })
      .click()
    await readQuestion(help)
    const ask = new RegExp(t('approval.ask_name', { name: '.*', amount: '800.00' }))
    await dialog(help).last().getByRole('button', { name: ask }).click()
    await expect(help.getByText(t('approval.waits')).last()).toBeVisible()
    // The member does not learn that a second person has to decide.
    await expect(messageLog(ben).getByText(t('cash.state_taken')).last()).toBeVisible()
  })

  await test.step('the head approves with the passkey, and the member sees it', async () => {
    await head.goto('/approvals')
    await head.getByText('ben77', { exact: true }).click()
    await expect(dialog(head).getByText('Won it all')).toBeVisible()
    await press(head, t('approval.approve', { amount: '800.00' }))
    await press(head, t('passkey.use'))
    await expect(head.getByText(t('approval.empty'))).toBeVisible()
    await expect(messageLog(ben).getByText(t('cash.state_paid')).last()).toBeVisible()
  })

  await test.step('history, SR02, the signature and ledger:check agree', async () => {
    await help.goto('/transaction/list/ben77')
    await expect(row(help, '−800.00')).toContainText(t('status.success'))
    const day = new Date().toISOString().slice(0, 10)
    const { total } = await dora.call('report/sr02', { start_date: day, end_date: day })
    const times = { start_time: `${day} 00:00:00`, end_time: `${day} 23:59:59` }
    const { totals } = await dora.call('transaction/totals', {
      ...times,
      types: [TransferKind.receive],
      statuses: [TransferStatus.success],
    })
    expect(total.total_out).toBe(totals?.taken)
    expect(Number(total.total_out)).toBeGreaterThanOrEqual(800)
    expect(await ledgerCheck(server)).not.toContain('✗')
  })
  for (const page of [ben, help, head]) expectCleanConsole(page)
})
