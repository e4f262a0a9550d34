import { expect, type Locator, type Page } from '@playwright/test'
import { addAccount } from './add-account.ts'
import { PASSWORD, t } from './people.ts'
import { signIn, signUp } from './client.ts'
import type { Server } from './server.ts'

/** Below admin the agent dora; below her the agent dian, help1 of customer service, and 27 members: m01aa to m25aa, ann88, ben777. */
export const addListAccounts = async (server: Server) => {
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'agent', 'dian', { under: 'dora' })
  await addAccount(server, 'cs', 'help1', { under: 'dora' })
  const dora = await signIn(server.url, 'dora', PASSWORD)
  const { share_code: code } = await dora.call('user/view', {})
  const numbered = Array.from({ length: 25 }, (_, at) => `m${String(at + 1).padStart(2, '0')}aa`)
  for (const name of ['ann88', 'ben777', ...numbered]) await signUp(server.url, code, name)
}

export const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
export const rows = (page: Page) => page.locator('tbody tr:not([aria-hidden])')
export const columnHeader = (page: Page, title: string) => page.getByRole('columnheader', { name: title })
export const expectSnackbar = (page: Page, text: string) =>
  expect(page.locator('.snackbars').getByText(text)).toBeVisible()
export const openList = async (
  page: Page,
  link: 'menu.agent' | 'menu.customer_service' | 'menu.user' | 'menu.audit',
) => {
  await page.getByRole('link', { name: t(link) }).click()
  await expect(page.getByRole('heading', { name: t(link) })).toBeVisible()
}
/** Chooses an action in the menu of a row, where all but the first are. */
export const chooseInRow = async (of: Locator, name: string) => {
  await of.getByRole('button', { name: t('table.more') }).click()
  await of.page().getByRole('menuitem', { name, exact: true }).click()
}
export const button = (where: Page, name: string, within?: string) =>
  (within ? row(where, within) : where).getByRole('button', { name, exact: true })
