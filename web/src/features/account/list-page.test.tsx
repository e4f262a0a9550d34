import { screen, waitFor, within } from '@testing-library/react'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { setStored } from '../../lib/storage.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { accountRow, ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { AccountListPage } from './list-page.tsx'

type Path = '/agent' | '/customer_service' | '/user'
const names = { '/agent': 'agent', '/customer_service': 'customer_service', '/user': 'user' } as const

/** The list, with what the menu entry of its page allows. */
const open = (path: Path, action: string, rows = [accountRow()]) => {
  server.answers('user/list', { data: rows, total: rows.length })
  server.answers('userMenu/list', [{ id: 1, name: names[path], url: path, action }])
  server.answers('user/view', ownAccount())
  return renderOffice(<AccountListPage />, { path })
}
const rowButtons = async (name: string) => {
  const row = (await screen.findByText(name)).closest('tr')
  if (!row) throw new Error(`${name} has no row`)
  return within(row)
    .queryAllByRole('button')
    .map((button) => button.getAttribute('aria-label'))
}
const labels = {
  transaction: 'action.transaction',
  deposit: 'action.deposit',
  edit: 'action.edit',
  delete: 'action.freeze',
} as const

test.each([
  ['transaction,deposit,edit,delete', ['transaction', 'deposit', 'edit', 'delete']],
  ['transaction,deposit', ['transaction', 'deposit']],
  ['edit', ['edit']],
  ['', []],
] as const)('[ACC-10] the menu action "%s" decides the buttons of a row', async (action, shown) => {
  await open('/user', action)
  await waitFor(async () => expect(await rowButtons('Mia')).toEqual(shown.map((name) => t(labels[name]))))
})

test('[ACC-09] a frozen account cannot be frozen again', async () => {
  await open('/user', 'edit,delete', [accountRow({ status: AccountStatus.frozen })])
  await waitFor(async () => expect(await rowButtons('Mia')).toEqual([t('action.edit')]))
})

test.each([
  ['/customer_service', 'add,edit', true],
  ['/customer_service', 'edit', false],
  ['/user', 'add,edit', false],
  ['/agent', 'add,edit', false],
] as const)('[ACC-03] %s with the actions %s has a button to add: %s', async (path, action, isShown) => {
  await open(path, action)
  await waitFor(async () => expect(await rowButtons('Mia')).toEqual([t('action.edit')]))
  const add = screen.queryByRole('button', { name: t('account.add_customer_service') })
  expect(add !== null).toBe(isShown)
})

test.each([
  [Role.agent, true],
  [Role.customerService, false],
])('[ACC-04] role %i may export the list: %s', async (role, isShown) => {
  setStored('role_id', String(role))
  await open('/user', 'transaction')
  await screen.findByText('Mia')
  expect(screen.queryByRole('button', { name: t('account.export') }) !== null).toBe(isShown)
})

test('[ACC-04] [ACC-05] a search asks the server for the page, the role and the names', async () => {
  const { user } = await open('/agent', '')
  await screen.findByText('Mia')
  await user.type(screen.getByLabelText(t('account.username')), 'mia')
  await user.type(screen.getByLabelText(t('account.nickname')), 'Mi')
  await user.click(screen.getByRole('button', { name: t('action.search') }))
  await waitFor(() => expect(server.asked('user/list')).toHaveLength(2))
  expect(server.asked('user/list')).toEqual([
    { menu_id: 2, role_id: 2, page: 1, per_page: 50_000 },
    { menu_id: 2, role_id: 2, page: 1, per_page: 50_000, username: 'mia', nickname: 'Mi' },
  ])
})

test('[ACC-02] an empty list says so and what comes next', async () => {
  await open('/user', 'edit', [])
  expect(await screen.findByText(t('table.empty'))).toBeTruthy()
  expect(screen.getByText(t('account.no_users'))).toBeTruthy()
})

test('[FIRST-01] an empty list of agents offers to add one', async () => {
  const { user } = await open('/agent', 'edit', [])
  await user.click(await screen.findByRole('button', { name: t('account.add_agent') }))
  expect(await screen.findByRole('dialog', { name: t('account.add_agent') })).toBeTruthy()
})

test('[FIRST-01] an empty list of members offers the share link', async () => {
  await open('/user', 'edit', [])
  expect(await screen.findByRole('button', { name: t('share.copy') })).toBeTruthy()
})

test('[WIRE-04] a list that fails says why, and "Try again" loads it', async () => {
  server.once.refuses('user/list', 'server.busy')
  const { user } = await open('/user', 'edit')
  expect((await screen.findByText(wordsOf('server.busy'))).closest('[role=alert]')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: t('action.try_again') }))
  expect(await screen.findByText('Mia')).toBeTruthy()
  expect(screen.queryByText(wordsOf('server.busy'))).toBeNull()
})

test.each([
  ['/user', Role.agent, false],
  ['/user', Role.admin, true],
  ['/agent', Role.agent, true],
] as const)('[ACC-11] %s for role %i has a column of balances: %s', async (path, role, isShown) => {
  setStored('role_id', String(role))
  await open(path, '')
  await screen.findByText('Mia')
  expect(screen.queryByRole('columnheader', { name: t('shell.balance') }) !== null).toBe(isShown)
})
