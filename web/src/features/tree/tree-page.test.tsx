import type { Answer, Input } from '@tallyroom/contract'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { memberView, menuPage, moved, ownAccount, treeRow } from '../../testing/fixtures.ts'
import { button, field, fill, renderOffice } from '../../testing/render.tsx'
import { TreePage } from './tree-page.tsx'

const root = treeRow({ id: 10, nickname: 'Ann', username: 'ann01', team: 2, members: 10_000, below: 10_003 })
const mika = treeRow({ id: 11, nickname: 'Mika', username: 'mika', role_id: Role.customerService, shares_wallet: true })
const nora = treeRow({ id: 12, nickname: 'Nora', username: 'nora', members: 1, below: 1, limit_of_credit: '50.0000' })
const eve = treeRow({ id: 20_000, nickname: 'Eve', username: 'eve', role_id: Role.member })
const member = (at: number) =>
  treeRow({ id: 1000 + at, nickname: `Member ${at}`, username: `m${at}`, role_id: Role.member })

const listed = ({ parent_id, part, from = 0, count = 1 }: Input<'tree/list'>): Answer<'tree/list'> => {
  const all: Record<string, readonly ReturnType<typeof treeRow>[]> = { '10/team': [mika, nora], '12/members': [eve] }
  if (parent_id === 10 && part === 'members')
    return { data: Array.from({ length: Math.min(count, 10_000 - from) }, (_, n) => member(from + n)), total: 10_000 }
  const rows = all[`${parent_id}/${part}`] ?? []
  return { data: rows.slice(from, from + count), total: rows.length }
}

const agents = menuPage('/agent', { name: 'agent', action: 'edit' })
const open = async (list = listed, menu: Answer<'userMenu/list'> = [agents]) => {
  server.answers('tree/view', { row: root, levels: 3 })
  server.answers('tree/list', list)
  server.answers('userMenu/list', menu)
  server.answers('user/view', ownAccount())
  const page = await renderOffice(<TreePage />, { path: '/tree' })
  await line('Nora')
  return page
}
const line = async (name: string) => {
  const row = (await screen.findByText(name)).closest<HTMLElement>('[role=row]')
  if (!row) throw new Error(`${name} has no row`)
  return row
}
const focused = () => document.activeElement?.querySelector('.person-name')?.textContent

test('[TREE-01] shows who is below with level, balance, credit and count, and how large the tree is', async () => {
  await open()
  const grid = screen.getByRole('treegrid', { name: t('menu.tree') })
  expect((await line('Ann')).getAttribute('aria-level')).toBe('1')
  const nora = await line('Nora')
  expect([nora.getAttribute('aria-level'), nora.getAttribute('aria-expanded')]).toEqual(['2', 'false'])
  expect(
    within(nora)
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent),
  ).toEqual(['NNora(nora)', t('role.agent'), '150.00', '50.00', '1'])
  expect((await line('Mika')).textContent).toContain(t('points.group_wallet'))
  expect(grid.textContent).toContain(t('tree.members', { n: 10_000, count: '10,000' }))
  expect(screen.getByText('3 levels, 10,004 accounts')).toBeTruthy()
})

test('[TREE-01] by keys: in, down, up, by letters, and 10,000 members open with few rows drawn', async () => {
  const { user } = await open()
  ;(await line('Ann')).focus()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  await waitFor(() => expect(focused()).toBe('Nora'))
  await user.keyboard('{ArrowRight}')
  await waitFor(async () => expect((await line('Nora')).getAttribute('aria-expanded')).toBe('true'))
  await user.keyboard('{ArrowDown}{ArrowRight}')
  await line('Eve')
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(focused()).toBe('Eve'))
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}')
  await waitFor(() => expect(focused()).toBe('Nora'))
  await user.keyboard('m')
  await waitFor(() => expect(focused()).toBe('Mika'))
  await user.keyboard('{End}{ArrowRight}')
  await line('Member 0')
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
  expect(server.asked('tree/list').filter(({ part }) => part === 'members').length).toBeLessThan(5)
})

test('[TREE-01] Enter opens the row that a screen reader has moved the focus to, and arrows go on from there', async () => {
  const { user } = await open()
  ;(await line('Ann')).focus()
  ;(await line('Nora')).focus()
  await user.keyboard('{ArrowUp}')
  await waitFor(() => expect(focused()).toBe('Mika'))
  ;(await line('Nora')).focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('dialog', { name: /Nora/ })).toBeTruthy()
})

test('[TREE-01] finds a name and opens the path to it, also where its list is not loaded', async () => {
  const { id, role_id, username, nickname, status } = member(7000)
  server.answers('tree/find', { data: [{ id, role_id, username, nickname, status, upline: 'Ann' }] })
  server.answers('tree/path', {
    path: [
      { row: root, part: 'team', at: 0 },
      { row: member(7000), part: 'members', at: 7000 },
    ],
  })
  const { user } = await open()
  await user.type(field(t('tree.find')), 'm7000')
  await screen.findByRole('option', { name: /Member 7000/ })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(focused()).toBe('Member 7000'))
  expect(server.asked('tree/path')).toEqual([{ id: 8000 }])
  await waitFor(() =>
    expect(server.asked('tree/list')).toContainEqual({ parent_id: 10, part: 'members', from: 7000, count: 100 }),
  )
})

test('[TREE-01] says that no name was found, and that masked names are found as a whole', async () => {
  server.answers('tree/find', { data: [] })
  const { user } = await open()
  await user.type(field(t('tree.find')), 'zzz')
  expect(await screen.findByText(t('tree.none_found'))).toBeTruthy()
})

test('[TREE-01] a page of rows that fails says so, and "Try again" loads it', async () => {
  server.answers('tree/view', { row: root, levels: 3 })
  server.once.refuses('tree/list', 'server.busy')
  server.answers('tree/list', listed)
  const { user } = await renderOffice(<TreePage />, { path: '/tree' })
  expect(await screen.findByText(t('tree.not_loaded'))).toBeTruthy()
  await user.click(button(t('action.try_again')))
  expect(await screen.findByText('Nora')).toBeTruthy()
  expect(screen.queryByText(t('tree.not_loaded'))).toBeNull()
})

test('[TREE-01] a tree that fails says why', async () => {
  server.once.refuses('tree/view', 'server.busy')
  await renderOffice(<TreePage />, { path: '/tree' })
  expect(await screen.findByText(wordsOf('server.busy'))).toBeTruthy()
})

test('[TREE-02] an agent adds an agent or customer service below the chosen account, and never an admin', async () => {
  const { user } = await open()
  await user.click(await line('Nora'))
  const details = await screen.findByRole('dialog', { name: /Nora/ })
  await user.click(within(details).getByRole('button', { name: t('tree.add') }))
  const dialog = await screen.findByRole('dialog', { name: t('tree.add_below', { name: 'Nora' }) })
  expect(within(dialog).getAllByRole('radio').length).toBe(2)
  await user.click(within(dialog).getByRole('radio', { name: t('role.customer_service') }))
  await user.type(within(dialog).getByLabelText(/^Username/), 'siti01')
  for (const label of [/^Password/, /^Confirm password/])
    await user.type(within(dialog).getByLabelText(label), 'secret1')
  const siti = treeRow({ id: 30, nickname: 'Siti', username: 'siti01', role_id: Role.customerService })
  server.answers('tree/add', { id: 30 })
  server.answers('tree/list', (input) =>
    input.parent_id === 12 && input.part === 'team' ? { data: [siti], total: 1 } : listed(input),
  )
  server.answers('tree/path', {
    path: [
      { row: root, part: 'team', at: 0 },
      { row: { ...nora, team: 1, below: 2 }, part: 'team', at: 1 },
      { row: siti, part: 'team', at: 0 },
    ],
  })
  await user.click(within(dialog).getByRole('button', { name: t('account.create') }))
  await waitFor(() => expect(focused()).toBe('Siti'))
  expect(server.asked('tree/add')).toMatchObject([
    { parent_id: 12, role_id: Role.customerService, username: 'siti01', password: 'secret1' },
  ])
})

test('[TREE-02] nothing is added below customer service, a member or a frozen agent', async () => {
  const frozen = treeRow({ id: 13, nickname: 'Olga', username: 'olga', status: AccountStatus.frozen })
  server.answers('tree/view', { row: { ...root, role_id: Role.admin }, levels: 2 })
  server.answers('tree/list', { data: [mika, frozen], total: 2 })
  server.answers('user/view', ownAccount())
  const { user } = await renderOffice(<TreePage />, { path: '/tree' })
  for (const name of ['Mika', 'Olga']) {
    await user.click(await line(name))
    const details = await screen.findByRole('dialog', { name: new RegExp(name) })
    expect(within(details).queryByRole('button', { name: t('tree.add') })).toBeNull()
    expect(
      within(details)
        .getByRole('link', { name: t('right.rights') })
        .getAttribute('href'),
    ).toMatch(/\/rights\/1[13]$/)
    await user.click(within(details).getByRole('button', { name: t('action.close') }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await user.click(button(t('tree.add')))
  expect(within(await screen.findByRole('dialog')).getAllByRole('radio').length).toBe(3)
})

test('[TREE-01] points are moved from the tree, which then shows the new balance; pages of the menu are linked', async () => {
  const { user } = await open(listed, [
    { ...agents, action: 'transaction,edit' },
    menuPage('/report/statement', { name: 'statement' }),
    menuPage('/transaction/list', { name: 'transaction_log' }),
  ])
  await user.click(await line('Ann'))
  const own = await screen.findByRole('dialog', { name: /Ann/ })
  expect(within(own).queryByRole('button', { name: t('action.transaction') })).toBeNull()
  await user.click(within(own).getByRole('button', { name: t('action.close') }))
  await user.click(await line('Nora'))
  const details = await screen.findByRole('dialog', { name: /Nora/ })
  const address = (name: string) => within(details).getByRole('link', { name }).getAttribute('href')
  expect(address(t('action.statement'))).toBe('/report/statement?id=12')
  expect(address(t('menu.transaction_log'))).toBe('/transaction/list/nora')
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView({ member_id: 12, role_id: Role.agent, username: 'nora', nickname: 'Nora' }))
  await user.click(within(details).getByRole('button', { name: t('action.transaction') }))
  await waitFor(() => field(t('transfer.amount')))
  await fill(user, t('transfer.amount'), '5')
  await fill(user, t('transfer.remark'), 'float')
  await user.click(button(t('action.next')))
  server.answers('user/transaction', moved())
  server.answers('tree/list', (input) => {
    const { data, total } = listed(input)
    return { data: data.map((row) => (row.id === 12 ? { ...row, used_credit: '-105.0000' } : row)), total }
  })
  await user.click(button(t('points.do_give', { amount: '5.00', name: 'Nora' })))
  await screen.findByText(t('transfer.moved'))
  expect(server.asked('user/transaction')).toMatchObject([{ id: 12, amount: '5', remark: 'float' }])
  await user.keyboard('{Escape}')
  expect(await screen.findByText('155.00')).toBeTruthy()
})

test('[TREE-03] a moved account leaves its old place, though the row at the top is as before', async () => {
  const pavel = treeRow({ id: 14, nickname: 'Pavel', username: 'pavel' })
  const olga = treeRow({ id: 13, nickname: 'Olga', username: 'olga' })
  const grown = { ...pavel, team: 1, below: 1 }
  const team = (rows: Record<number, readonly ReturnType<typeof treeRow>[]>) => (input: Input<'tree/list'>) => {
    const data = [...((input.part === 'team' && rows[Number(input.parent_id)]) || [])]
    return { data, total: data.length }
  }
  const { user } = await open(team({ 10: [mika, nora, olga, pavel] }))
  await user.click(await line('Nora'))
  const details = await screen.findByRole('dialog', { name: /Nora/ })
  await user.click(within(details).getByRole('button', { name: t('tree.move') }))
  const dialog = await screen.findByRole('dialog', { name: t('tree.move_name', { name: 'Nora' }) })
  const { id, role_id, username, nickname, status } = pavel
  server.answers('tree/find', { data: [{ id, role_id, username, nickname, status, upline: 'Ann' }] })
  const none = { envelopes: 0, requests: 0, approvals: 0 }
  const what = {
    accounts: 2,
    members: 1,
    rooms: 1,
    across: none,
    along: none,
    texts: 0,
    lost: [],
    refused: null,
    most: 20_000,
  }
  server.answers('tree/previewMove', what)
  await user.type(within(dialog).getByRole('combobox'), 'pavel')
  await screen.findByRole('option', { name: /Pavel/ })
  await user.keyboard('{Enter}')
  await within(dialog).findByText(t('tree.stays_reports'))
  server.answers('tree/move', null)
  server.answers('tree/list', team({ 10: [mika, olga, grown], 14: [nora] }))
  server.answers('tree/path', {
    path: [
      { row: root, part: 'team', at: 0 },
      { row: grown, part: 'team', at: 2 },
      { row: nora, part: 'team', at: 0 },
    ],
  })
  await user.click(within(dialog).getByRole('button', { name: t('tree.move_name', { name: 'Nora' }) }))
  await waitFor(() => expect(focused()).toBe('Nora'))
  await waitFor(() => expect(screen.getAllByText('Nora').length).toBe(1))
  expect(await line('Olga')).toBeTruthy()
})
