/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import { open } from '@tallyroom/contract/wire'
import { addAccount } from '../../support/add-account.ts'
import { expectCleanConsole, t } from '../../support/people.ts'
import { signedIn } from '../../support/signed-in.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
})
test.afterAll(() => server.remove())

/** Adds 60 operators to the server’s answer; report.test.ts tests the sums. */
const addOperators = (page: Page) =>
  page.route('**/api/report/sr02', async (route) => {
    const response = await route.fetch()
    const { data, ...answer } = (await response.json()) as { data: { data: object[] } }
    const many = Array.from({ length: 60 }, (_, n) => ({
      id: 1000 + n,
      username: `Op${String(n).padStart(2, '0')}`,
      total_in: `${n}.2500`,
      total_out: '1.0000',
    }))
    await route.fulfill({ response, json: { ...answer, data: { ...data, data: many } } })
  })
/** Answers as if it were this time. The clock of the page decides nothing (FIRST-05). */
const setServerTime = (page: Page, time: string) =>
  page.route(/\/config\.json$|\/api\//, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(time).toUTCString() } })
  })
/** The parameters of the next report call. */
const nextReport = async (page: Page) => {
  const { params } = (await page.waitForRequest('**/api/report/sr02')).postDataJSON() as { params: string }
  return open('report/sr02', params, 'tallyroom')
}

test('[SR02-01] the report opens with today; operator, start and end are searched, dates once they are confirmed', async ({
  browser,
}) => {
  const page = await signedIn(browser, server, 'dora')
  await setServerTime(page, '2026-03-10T23:30:00Z')
  const first = nextReport(page)
  await page.goto('/report/sr02')
  expect(await first).toEqual({ username: '', start_date: '2026-03-10', end_date: '2026-03-10' })
  let asked = 0
  page.on('request', (request) => (asked += request.url().endsWith('/api/report/sr02') ? 1 : 0))

  const search = page.getByRole('search')
  const panel = search.getByRole('group', { name: t('calendar.title') })
  const choose = async (label: 'report.start' | 'report.end', day: string, button: string) => {
    await search.getByRole('textbox', { name: t(label) }).click()
    await panel.getByRole('gridcell', { name: day }).click()
    await panel.getByRole('button', { name: button, exact: true }).click()
    await expect(panel).toHaveCount(0)
  }
  await search.getByRole('button', { name: t('filter.dates') }).click()
  for (const [label, day] of [
    ['report.start', '2026-03-05'],
    ['report.end', '2026-03-08'],
  ] as const) {
    const field = search.getByRole('textbox', { name: t(label) })
    await expect(field).toHaveValue('2026-03-10')
    await choose(label, day, t('action.cancel'))
    await expect(field).toHaveValue('2026-03-10')
    await choose(label, day, 'OK')
    await expect(field).toHaveValue(day)
  }
  await search.getByLabel(t('report.operator')).fill('dora')
  expect(asked).toBe(0)
  const searched = nextReport(page)
  await search.getByRole('button', { name: t('action.search') }).click()
  expect(await searched).toEqual({ username: 'dora', start_date: '2026-03-05', end_date: '2026-03-08' })
  expectCleanConsole(page)
})

test('[SR02-03] the operators: totals in and out, a filter by part of the name, 10, 25, 50 or all rows a page', async ({
  browser,
}) => {
  const page = await signedIn(browser, server, 'dora')
  await addOperators(page)
  await page.goto('/report/sr02')
  const table = page.getByRole('table')
  for (const title of ['account.username', 'report.total_in', 'report.total_out'] as const) {
    await expect(table.getByRole('columnheader', { name: t(title) })).toBeVisible()
  }
  const third = table.getByRole('row').filter({ hasText: 'Op02' })
  await expect(third).toContainText('2.25')
  await expect(third).toContainText('1.00')

  const size = page.getByLabel(t('table.rows_per_page'))
  expect(await size.locator('option').allTextContents()).toEqual(['10', '25', '50', 'All'])
  for (const [chosen, rows, pages] of [
    ['10', 10, 6],
    ['25', 25, 3],
    ['50', 50, 2],
    ['All', 60, 1],
  ] as const) {
    await size.selectOption({ label: chosen })
    // `aria-rowcount` includes the header row.
    await expect(table).toHaveAttribute('aria-rowcount', String(rows + 1))
    await expect(page.getByText(t('table.page_of', { page: 1, pages }))).toHaveCount(pages > 1 ? 1 : 0)
  }

  await page.getByLabel(t('report.operator')).fill('oP1')
  await expect(table).toHaveAttribute('aria-rowcount', '11')
  await expect(table.getByText('Op10')).toBeVisible()
  await expect(table.getByText('Op02')).toHaveCount(0)
  await page.getByLabel(t('report.operator')).fill('nobody')
  await expect(page.getByText('No data available')).toBeVisible()
  expectCleanConsole(page)
})
