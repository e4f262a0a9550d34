/// <reference lib="dom" />
import { expect, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import { databaseOf } from '../../support/faults/kills.ts'
import { rows } from '../../support/lists.ts'
import { addAccount } from '../../support/add-account.ts'
import { PASSWORD, expectCleanConsole, t } from '../../support/people.ts'
import { signedIn } from '../../support/signed-in.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

const ROWS = 50_000

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  const { id } = await (await clientOf(server.url, 'dora', PASSWORD)).call('user/view', {})
  const database = await databaseOf(server)
  await database.query(
    `with made as (select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id, n from generate_series(1, $2::int) n)
      insert into accounts (id, top_id, parent_id, group_id, path, role_id, username, nickname, password_hash, share_code, is_funded)
      select made.id, a.top_id, a.id, a.group_id, a.path || made.id || '/', 4, 'm' || lpad(n::text, 5, '0'), '', '!', 'm' || made.id, false
      from made, accounts a where a.id = $1`,
    [id, ROWS],
  )
  await database.query(`insert into wallets (top_id, account_id, kind, floor)
    select top_id, id, kind, 0 from accounts cross join unnest(array[1, 2]) kind where role_id = 4`)
  await database.query('analyze accounts, wallets')
  await database.end()
})
test.afterAll(() => server.remove())

test('[LIM-01] a list of 50,000 opens, scrolls to its last row and is filtered, with few rows drawn at any moment', async ({
  browser,
}) => {
  const page = await signedIn(browser, server, 'dora')
  await page.goto('/user')
  await expect(page.getByText(t('table.count', { n: ROWS, count: '50,000' }))).toBeVisible()
  await page.getByLabel(t('table.rows_per_page')).selectOption({ label: 'All' })
  const table = page.getByRole('table')
  await expect(table).toHaveAttribute('aria-rowcount', String(ROWS + 1))
  const box = page.locator('.table-scroll')
  /** A page that drew all rows would freeze. */
  const expectFewRows = async () => expect(await rows(page).count()).toBeLessThan(100)
  for (const part of [0.5, 1]) {
    await box.evaluate((element, to) => element.scrollTo(0, element.scrollHeight * to), part)
    const at = part === 1 ? ROWS : Math.round(ROWS * part)
    await expect(
      rows(page)
        .filter({ hasText: /m\d{5}/ })
        .first(),
    ).toBeVisible()
    if (part === 1) await expect(table.locator(`tr[aria-rowindex="${at + 1}"]`)).toBeVisible()
    await expectFewRows()
  }
  await page.getByRole('textbox', { name: t('account.username') }).fill('M4999')
  await expect(table).toHaveAttribute('aria-rowcount', '11')
  for (const name of ['m49990', 'm49999']) await expect(table.getByText(name, { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: t('account.username') }).fill('')
  await expect(table).toHaveAttribute('aria-rowcount', String(ROWS + 1))
  await expectFewRows()
  expectCleanConsole(page)
})
