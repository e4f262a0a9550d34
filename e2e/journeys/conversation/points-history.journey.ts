/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import {
  browserOf,
  dialog,
  storeSession,
  PASSWORD,
  expectCleanConsole,
  signIn,
  reducedMotion,
  t,
} from '../../support/people.ts'
import { addPointsAccounts } from '../../support/points.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  const { ids } = await addPointsAccounts(server)
  const help1 = await clientOf(server.url, 'help1', PASSWORD)
  for (const [type, amount, platform, remark] of [
    [1, '100', 1, 'main send'],
    [3, '1', 2, 'a gift to play'],
    [4, '4', 1, 'our mistake'],
  ] as const)
    await help1.call('transaction/add', { member_id: ids.ann88, type, amount, platform, remark })
})
test.afterAll(() => server.remove())

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('[HIST-01] history covers 24 hours, the audit log seven days', async ({ browser }) => {
  const top = await browserOf(browser, server, reducedMotion)
  await signIn(top, 'admin', server.password, '/audit')
  const span = async (start: string, end: string) => {
    const [from, to] = await Promise.all(
      [start, end].map((label) => top.getByLabel(label, { exact: true }).inputValue()),
    )
    return Date.parse(`${to}Z`) - Date.parse(`${from}Z`)
  }
  await expect(top.getByLabel(t('audit.from'), { exact: true })).toBeVisible()
  expect(await span(t('audit.from'), t('audit.to'))).toBe(7 * 86_400_000)
  await top.goto('/transaction/list/ann88')
  await expect(row(top, 'a gift to play')).toBeVisible()
  expect(await span(t('history.start'), t('history.end'))).toBe(86_400_000)
  expectCleanConsole(top)
})

test('[HIST-02] [ENV-08] one transfer: both sides, an edited remark, a correction by an admin, and an export', async ({
  browser,
}) => {
  const top = await browserOf(browser, server, reducedMotion)
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
    await top.screenshot({ path: test.info().outputPath('taken-back-1440.png') })
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
  const top = await browserOf(browser, server, reducedMotion)
  await signIn(top, 'admin', server.password, '/transaction/list/ann88')
  await top.emulateMedia({ media: 'print' })
  await expect(row(top, 'a gift to play')).toBeVisible()
  await expect(top.getByRole('button', { name: t('account.export') })).toBeHidden()
  await top.emulateMedia({ media: null })
  expectCleanConsole(top)
})

test('[SR02-02] SR02 links an operator to the transfers it counts', async ({ browser }) => {
  const top = await browserOf(browser, server, reducedMotion)
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
  await expect(top.getByRole('img', { name: t('report.chart') })).toBeVisible()
  await top.getByRole('img', { name: t('report.chart') }).press('ArrowRight')
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
  const top = await browserOf(browser, server, reducedMotion)
  await signIn(top, 'admin', server.password, '/report/reconciliation')
  await expect(top.getByText(t('reconciliation.never'))).toBeVisible()
  await top.getByRole('button', { name: t('reconciliation.check') }).click()
  await expect(top.getByText(/^All \d+ rules hold\.$/)).toBeVisible()
  await expect(top.getByText(t('reconciliation.no_difference'))).toBeVisible()
  const seen = await new AxeBuilder({ page: top }).analyze()
  expect(seen.violations.map(({ id }) => id)).toEqual([])
  expectCleanConsole(top)
})
