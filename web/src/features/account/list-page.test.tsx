import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { accountRow, menuPage, ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { AccountListPage } from './list-page.tsx'

type Right = ReturnType<typeof menuPage>['may'][number]
type Path = '/agent' | '/customer_service' | '/user'
const names = { '/agent': 'agent', '/customer_service': 'customer_service', '/user': 'user' } as const

/** The list, with what the menu entry of its page allows. */
const open = (path: Path, action: string, rows = [accountRow()], more?: string, may?: Right[]) => {
  server.answers('user/list', { data: rows, total: rows.length, totals: null })
  return openListed(path, action, more, may)
}
/** The same for rows that the test answers itself. */
const openListed = (path: Path, action: string, more?: string, may: Right[] = ['user.points', 'user/export']) => {
  server.answers('userMenu/list', [
    menuPage(path, { name: names[path], action, may }),
    ...(more ? [menuPage(more)] : []),
  ])
  server.answers('user/view', ownAccount())
  server.answers('listView/list', { data: [] })
  return renderOffice(<AccountListPage />, { path })
}
const rowOf = async (name: string) => {
  const row = (await screen.findByText(name)).closest('tr')
  if (!row) throw new Error(`${name} has no row`)
  return within(row)
}
/** The action beside the row, and those in its menu. */
const rowActions = async (name: string) => {
  const row = await rowOf(name)
  const more = row.queryByRole('button', { name: t('table.more') })
  const beside = row.queryAllByRole('button').filter((button) => button !== more)
  if (more && more.getAttribute('aria-expanded') === 'false') fireEvent.click(more)
  const inMenu = screen.queryAllByRole('menuitem').map((item) => item.getAttribute('aria-label'))
  return [...beside.map(({ textContent }) => textContent), ...inMenu]
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
] as const)(
  '[ACC-10] the menu action "%s" decides the actions of a row: the first in words, the others in a menu',
  async (action, shown) => {
    await open('/user', action)
    await waitFor(async () => expect(await rowActions('Mia')).toEqual(shown.map((name) => t(labels[name]))))
  },
)

test.each([
  ['/user', Role.member, true],
  ['/agent', Role.agent, true],
  ['/customer_service', Role.customerService, false],
] as const)(
  '[BOOK-01] %s: a row with a wallet leads to its statement, where the menu has them',
  async (path, role_id, has) => {
    const { user, router } = await open(path, 'edit', [accountRow({ role_id })], '/report/statement')
    const own = has ? [t('action.statement'), t('action.edit')] : [t('action.edit')]
    const rights = path === '/user' ? [] : [t('right.rights')]
    await waitFor(async () => expect(await rowActions('Mia')).toEqual([...own, ...rights]))
    if (!has) return
    await user.click(screen.getByRole('button', { name: t('action.statement') }))
    await waitFor(() =>
      expect(router.state.location).toMatchObject({ pathname: '/report/statement', search: { id: 20 } }),
    )
  },
)

test('[ACC-01] customer service without a wallet of its own shows whose points it gives, not 0.00', async () => {
  const rows = [
    accountRow({ role_id: Role.customerService, shares_wallet: true }),
    accountRow({ id: 21, role_id: Role.customerService, nickname: 'Omar', username: 'omar01' }),
  ]
  await open('/customer_service', 'edit', rows)
  expect(await screen.findAllByText(t('points.group_wallet'))).toHaveLength(1)
  expect(await screen.findByText('100.00')).toBeTruthy()
})

test('[ACC-09] a frozen account cannot be frozen again', async () => {
  await open('/user', 'edit,delete', [accountRow({ status: AccountStatus.frozen })])
  await waitFor(async () => expect(await rowActions('Mia')).toEqual([t('action.edit')]))
})

test.each([
  ['/customer_service', 'add,edit', true],
  ['/customer_service', 'edit', false],
  ['/user', 'add,edit', false],
  ['/agent', 'add,edit', false],
] as const)('[ACC-03] %s with the actions %s has a button to add: %s', async (path, action, isShown) => {
  await open(path, action)
  // RIGHT-02: members have no back office, so they have no rights to look at.
  const shown = path === '/user' ? [t('action.edit')] : [t('action.edit'), t('right.rights')]
  await waitFor(async () => expect(await rowActions('Mia')).toEqual(shown))
  const add = screen.queryByRole('button', { name: t('account.add_customer_service') })
  expect(add !== null).toBe(isShown)
})

test.each([
  [['user/addMember'], true],
  [[], false],
] as const)('[MEMB-02] with %j a member can be added: %s', async (may, isShown) => {
  const { user } = await open('/user', 'edit', undefined, undefined, [...may])
  await screen.findByText('Mia')
  const add = screen.queryByRole('button', { name: t('account.add_member') })
  expect(add !== null).toBe(isShown)
  if (!add) return
  await user.click(add)
  expect(await screen.findByRole('dialog', { name: t('account.add_member') })).toBeTruthy()
})

test.each([
  [['user/export'], true],
  [[], false],
] as const)('[ACC-04] [CODE-04] with %j the list can be exported: %s', async (may, isShown) => {
  await open('/user', 'transaction', undefined, undefined, [...may])
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
    { menu_id: 2, role_id: Role.agent, page: 1, per_page: 100 },
    { menu_id: 2, role_id: Role.agent, page: 1, per_page: 50_000, username: 'mia', nickname: 'Mi' },
  ])
})

const longRows = Array.from({ length: 150 }, (_, at) =>
  accountRow({ id: at + 1, username: `m${at + 1}`, nickname: `Member ${at + 1}` }),
)
const longList = { data: longRows, total: 150, totals: null }
const countOf = (n: number) => t('table.count', { n, count: String(n) })

test('[LIM-01] [ACC-05] a long list shows its first rows, and filters when it is whole', async () => {
  server.once.answers('user/list', { ...longList, data: longRows.slice(0, 100) })
  const release = server.delays('user/list', longList)
  const { user } = await openListed('/user', 'edit')
  expect((await rowOf('Member 1')).getByRole('button', { name: t('action.edit') })).toBeTruthy()
  expect(screen.getByText(countOf(150))).toBeTruthy()
  expect(screen.getByText(t('table.loading'))).toBeTruthy()
  await user.type(screen.getByLabelText(t('account.username')), 'm150')
  await waitFor(() => expect(screen.queryByText('Member 1')).toBeNull())
  expect(screen.queryByText(t('table.empty'))).toBeNull()
  release()
  expect(await screen.findByText('Member 150')).toBeTruthy()
  expect(screen.getByText(countOf(1))).toBeTruthy()
  expect(screen.queryByText(t('table.loading'))).toBeNull()
})

test('[LIM-01] [WIRE-04] when the rest of a long list is lost the page says so, and "Try again" loads it', async () => {
  server.answers('user/list', longList)
  server.once.answers('user/list', { ...longList, data: longRows.slice(0, 100) })
  server.once.losesAnswer('user/list')
  const { user } = await openListed('/user', 'edit')
  expect(await screen.findByText(t('table.rest_failed'))).toBeTruthy()
  expect(screen.getByText('Member 1')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: t('action.try_again') }))
  await waitFor(() => expect(screen.queryByText(t('table.rest_failed'))).toBeNull())
  await user.type(screen.getByLabelText(t('account.username')), 'm150')
  expect(await screen.findByText('Member 150')).toBeTruthy()
})

test('[ACC-02] an empty list says so and what comes next', async () => {
  await open('/user', 'edit', [])
  expect(await screen.findByText(t('table.empty'))).toBeTruthy()
  expect(screen.getByText(t('account.no_users'))).toBeTruthy()
})

test('[FIRST-01] an empty list of agents offers to add one', async () => {
  const { unmount } = await open('/agent', 'edit', [])
  expect(await screen.findByText(t('account.no_agents'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('account.add_agent') })).toBeNull()
  unmount()

  // With the right to the tree.
  const { user } = await open('/agent', 'edit', [], '/tree')
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
  ['/user', [], false],
  ['/user', ['user.points'], true],
  ['/agent', [], true],
] as const)('[ACC-11] [CODE-04] %s with %j has a column of balances: %s', async (path, may, isShown) => {
  await open(path, '', undefined, undefined, [...may])
  await screen.findByText('Mia')
  expect(screen.queryByRole('columnheader', { name: t('shell.balance') }) !== null).toBe(isShown)
})

test('[ACC-02] [ACC-11] the totals are by column; a list without amounts has none', async () => {
  const rows = [accountRow(), accountRow({ id: 21, nickname: 'Ned' })]
  const totals = { available: '200.0000', game_wallet: '0.0000', limit_of_credit: '50.0000' }
  await open('/agent', '', rows)
  await screen.findByText('Ned')
  expect(document.querySelector('tfoot')).toBeNull()
  cleanup()
  server.answers('user/list', { data: rows, total: 2, totals })
  await renderOffice(<AccountListPage />, { path: '/agent' })
  const row = within(await screen.findByRole('row', { name: /^Total/ }))
  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['200.00', '50.00']),
  )
})

test('[ACC-09] only a frozen account has a mark', async () => {
  await open('/user', '', [accountRow(), accountRow({ id: 21, nickname: 'Ned', status: AccountStatus.frozen })])
  expect((await rowOf('Ned')).getByText(t('status.frozen'))).toBeTruthy()
  expect((await rowOf('Mia')).queryByText(t('status.frozen'))).toBeNull()
})

test('[HIST-01] the row of a member leads to its transactions, unless its username is masked', async () => {
  const rows = [accountRow(), accountRow({ id: 21, username: 'ne***d01', nickname: 'Ned' })]
  const { user, router } = await open('/user', 'transaction', rows, '/transaction/list')
  await waitFor(async () => expect(await rowActions('Mia')).toContain(t('menu.transaction_log')))
  expect(await rowActions('Ned')).toEqual([t('action.transaction')])
  await user.click(screen.getByRole('button', { name: t('menu.transaction_log') }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/transaction/list/mia01'))
})

test('[ACC-10] [MEMB-02] a member of the own group has its conversation among the actions, and a press on its row opens it', async () => {
  const data = [
    { ...accountRow(), agent_id: 10 },
    { ...accountRow({ id: 21, username: 'ben02', nickname: 'Ben' }), agent_id: 11 },
  ]
  const agents = [
    { id: 10, name: 'Dana', is_own: 1 as const },
    { id: 11, name: 'Nora', is_own: 0 as const },
  ]
  server.answers('user/list', { data, agents, total: 2, totals: null })
  const { user, router } = await openListed('/user', '', '/chat')
  expect((await rowOf('Ben')).getByText('Nora')).toBeTruthy()
  const mia = await rowOf('Mia')
  expect(await rowActions('Ben')).toEqual([])
  expect(mia.getByRole('button', { name: t('requests.conversation') })).toBeTruthy()
  expect(mia.getByRole('link', { name: 'Dana' }).getAttribute('href')).toBe('/colleague/~10')
  expect(mia.getByRole('link', { name: /Mia/ }).getAttribute('href')).toBe('/member/mia01')
  await user.click(mia.getAllByText('–')[0] as HTMLElement)
  const details = within(await screen.findByRole('dialog'))
  expect(details.getByText(t('role.agent'))).toBeTruthy()
  await user.click(details.getByRole('button', { name: t('requests.conversation') }))
  expect(router.state.location.pathname).toBe('/chat/messaging/0/20/friend/20')
})
