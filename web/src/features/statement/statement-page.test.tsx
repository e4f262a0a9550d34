import type { Answer } from '@tallyroom/contract'
import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { menuPage } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { StatementPage } from './statement-page.tsx'

type Line = Answer<'statement/lines'>['data'][number]
const line = (seq: number, fields: Partial<Line> = {}): Line => ({
  id: `7-${seq}`,
  at: `2026-11-1${seq} 10:00:00`,
  transaction_id: `01a2b3c4-0000-7000-8000-00000000000${seq}`,
  type: TransferKind.send,
  corrects_type: null,
  account: { username: 'mia01', nickname: 'Mia' },
  wallet: WalletKind.main,
  other: { username: 'ann01', nickname: 'Ann', role_id: Role.agent, wallet: WalletKind.main },
  by: 'cleo01',
  remark: 'Weekly bonus',
  amount: '150.5000',
  balance: '150.5000',
  ...fields,
})
const view: Answer<'statement/view'> = {
  account: { id: 20, role_id: Role.member, username: 'mia01', nickname: 'Mia' },
  upline: { username: 'ann01', nickname: 'Ann' },
  accounts: 1,
  group: 'Dana’s table',
  closed_until: '2026-10-31',
  drawn_up: '2026-11-22 10:30:20',
  time_zone: 'Asia/Taipei',
  opening: '0.0000',
  in: '150.5000',
  out: '20.1234',
  others: '0.0000',
  closing: '130.3766',
  held: '5.0000',
  lines: 2,
  held_lines: [
    {
      at: '2026-11-20 09:00:00',
      transaction_id: '01a2b3c4-0000-7000-8000-000000000009',
      reason: 'request',
      account: { username: 'mia01', nickname: 'Mia' },
      member: { username: 'mia01', nickname: 'Mia' },
      remark: '',
      amount: '5.0000',
    },
  ],
  held_cut: false,
  seal: null,
}

const headsPage = menuPage('/report/statement', {
  may: ['statement.own', 'statement/export', 'statement/seal', 'period/list'],
})

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  server.answers('userMenu/list', [headsPage])
  server.answers('period/list', { data: [], next_start: null })
  server.answers('settlement/list', { data: [] })
  server.answers('statement/view', view)
  server.answers('statement/lines', {
    data: [line(1), line(2, { type: TransferKind.receive, amount: '-20.1234', balance: '130.3766', remark: '' })],
    next: null,
  })
})

const open = async (address = '/report/statement') => {
  const drawn = await renderOffice(<StatementPage />, { path: '/report/statement', address })
  await screen.findByText('Weekly bonus')
  return drawn
}
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
const openTab = async (user: Awaited<ReturnType<typeof open>>['user'], label: string) =>
  user.click(await screen.findByRole('tab', { name: label }))
const sums = () =>
  Object.fromEntries(
    [...document.querySelectorAll('.statement-sums > div')].map((one) => [
      one.querySelector('dt')?.textContent,
      one.querySelector('dd')?.textContent,
    ]),
  )

test('[BOOK-01] the page opens with the own statement of this month: sums, movements, and what is held', async () => {
  const { user } = await open()
  const asked = { username: '', scope: 'own', wallet: 0, start_date: '2026-11-01', end_date: '2026-11-22', by: '' }
  expect(server.asked('statement/view')).toEqual([asked])
  expect(server.asked('statement/lines')).toEqual([{ ...asked, per_page: 1000 }])
  expect(sums()).toEqual({
    [t('statement.opening')]: '0.00',
    [t('statement.in')]: '150.50',
    [t('statement.out')]: '20.1234',
    [t('statement.closing')]: '130.3766',
    [t('statement.held')]: '5.00',
  })
  expect(document.querySelector('.statement-about')?.textContent).toBe(
    `Mia · ${t('statement.scope_own')} · 2026-11-01 – 2026-11-22 · Asia/Taipei`,
  )
  // Both sides of both movements are Ann's: their column says which way they went.
  expect(screen.getAllByText('Ann')).toHaveLength(2)
  // The wallet's columns, without signs; and without a column that says the same in every row.
  expect(screen.queryByText(/^[+−-]\d/)).toBeNull()
  expect(screen.queryByRole('columnheader', { name: t('statement.account') })).toBeNull()
  await waitFor(() =>
    expect(tabs()).toEqual([`${t('statement.movements')} 2`, `${t('statement.held')} 1`, `${t('period.closed')} 0`]),
  )
  await openTab(user, `${t('statement.held')} 1`)
  const held = screen.getAllByRole('region', { name: t('statement.held_at_end') })[0]
  expect(within(held as HTMLElement).getByText(t('statement.held_request'))).toBeTruthy()
})

test('[BOOK-01] a link opens an account; a typed name takes its place', async () => {
  const { user } = await open('/report/statement?id=20&scope=branch&wallet=1&by=cleo01&time=2026-11-16..2026-11-22')
  expect(server.asked('statement/view')).toEqual([
    {
      id: 20,
      username: '',
      scope: 'branch',
      wallet: WalletKind.main,
      by: 'cleo01',
      start_date: '2026-11-16',
      end_date: '2026-11-22',
    },
  ])
  await fill(user, t('account.username'), 'gus01')
  await user.click(button(t('action.search')))
  await waitFor(() => expect(server.asked('statement/view')).toHaveLength(2))
  expect(server.asked('statement/view')[1]).toMatchObject({ username: 'gus01' })
  expect(server.asked('statement/view')[1]).not.toHaveProperty('id')
})

test('[BOOK-01] customer service, which has no wallet, is asked for a member first, and has no file', async () => {
  server.answers('userMenu/list', [menuPage('/report/statement')])
  const { user } = await renderOffice(<StatementPage />, { path: '/report/statement' })
  expect(await screen.findByText(t('statement.choose'))).toBeTruthy()
  expect(server.asked('statement/view')).toEqual([])
  await fill(user, t('account.username'), 'mia01')
  await user.click(button(t('action.search')))
  await screen.findByText('Weekly bonus')
  expect(screen.queryByText(t('account.export'))).toBeNull()
})

test.each([
  ['statement/export', () => screen.queryByText(t('account.export'))],
  ['statement/seal', () => screen.queryByText(t('seal.file'))],
  ['period/list', () => screen.queryByText(t('period.close'))],
] as const)('[CODE-04] without %s the page has no button for it', async (right, find) => {
  server.answers('statement/view', { ...view, seal: { block: 1, at: '2026-11-22 10:29:58', head: 'ab', waiting: 2 } })
  const { unmount, user } = await open()
  await openTab(user, t('seal.title'))
  await waitFor(() => expect(find()).toBeTruthy())
  unmount()
  server.answers('userMenu/list', [{ ...headsPage, may: headsPage.may.filter((one) => one !== right) }])
  const without = await open()
  await openTab(without.user, t('seal.title'))
  expect(find()).toBeNull()
})

test('[BOOK-01] a refused period says why, and keeps what was typed', async () => {
  server.refuses('statement/view', 'statement.in_future')
  await renderOffice(<StatementPage />, { path: '/report/statement', address: '/report/statement?username=mia01' })
  await waitFor(() => expect(alerts()).toEqual([t('statement.in_future')]))
  expect(field(t('account.username')).value).toBe('mia01')
})

test('[BOOK-01] print loads every movement, then shows the sheet: letterhead, opening, lines, closing, held', async () => {
  const { user } = await (async () => {
    server.answers('statement/lines', { data: [line(1)], next: '1-7-1' })
    const drawn = await open('/report/statement?id=20')
    server.answers('statement/lines', {
      data: [line(2, { amount: '-20.1234', balance: '130.3766', remark: '' })],
      next: null,
    })
    return drawn
  })()
  const texts: string[] = []
  window.print = () => texts.push(document.querySelector('.statement-sheet')?.textContent ?? '')
  await user.click(button(t('statement.print')))
  await waitFor(() => expect(texts).toHaveLength(1))
  expect(server.asked('statement/lines')[1]).toMatchObject({ after: '1-7-1' })
  for (const text of [
    'Dana’s table',
    t('statement.title'),
    'mia01-2026-11-01-2026-11-22',
    t('statement.under', { name: 'Ann' }),
    t('period.until', { day: '2026-10-31' }),
    t('right.zone', { zone: 'Asia/Taipei' }),
    t('statement.opening'),
    '2026-11-11 10:00',
    '2026-11-12 10:00',
    t('statement.closing'),
    '130.3766',
    t('statement.held_request'),
  ])
    expect(texts[0]).toContain(text)
  // Said from the member's side, it would contradict the columns of an agent's statement.
  expect(texts[0]).not.toContain(t('transfer.kind_in'))
  await waitFor(() => expect(document.querySelector('.statement-sheet')).toBeNull())
})

test.each([
  ['🇹🇭 Bangkok', '🇹🇭'],
  ['நிலா', 'நி'],
  ['ёлка', 'Ё'],
])('[BOOK-01] [TEXT-02] the mark of the sheet of %s is its first letter, %s', async (group, letter) => {
  server.answers('statement/view', { ...view, group })
  const { user } = await open('/report/statement?id=20')
  const marks: string[] = []
  window.print = () => marks.push(document.querySelector('.sheet-letter')?.textContent ?? '')
  await user.click(button(t('statement.print')))
  await waitFor(() => expect(marks).toEqual([letter]))
})

test('[BOOK-05] the seal is on the screen and on paper; its file is of the same statement, and the check page is kept', async () => {
  const head = '9f3c41d70b6e2a85c7f013e984bb5d62a1c47e0f3b98d256e8a36c71f40d92b5'
  server.answers('statement/view', { ...view, seal: { block: 18204, at: '2026-11-22 10:29:58', head, waiting: 0 } })
  server.answers('statement/seal', { name: 'statement-mia01.seal.json', seal: '{}' })
  const saved: string[] = []
  URL.createObjectURL = (file: Blob) => {
    saved.push(file.type)
    return 'blob:1'
  }
  const { user } = await open('/report/statement?id=20&by=cleo01')
  await openTab(user, t('seal.title'))
  const shown = head.replace(/.{4}(?=.)/g, '$& ')
  expect(screen.getByText(shown)).toBeTruthy()
  expect(screen.getByText('18,204 · 2026-11-22 10:29:58')).toBeTruthy()
  expect(screen.getByText(t('seal.page')).getAttribute('href')).toBe('/check.html')
  await user.click(button(t('seal.file')))
  await waitFor(() => expect(saved).toEqual(['application/json']))
  expect(server.asked('statement/seal')).toEqual(server.asked('statement/view'))
  const texts: string[] = []
  window.print = () => texts.push(document.querySelector('.statement-sheet')?.textContent ?? '')
  await user.click(button(t('statement.print')))
  await waitFor(() => expect(texts).toHaveLength(1))
  for (const text of [t('seal.what'), shown, t('seal.how')]) expect(texts[0]).toContain(text)
})

test('[BOOK-05] movements that are not sealed yet are counted, and customer service has no seal file', async () => {
  server.answers('userMenu/list', [menuPage('/report/statement')])
  server.answers('statement/view', { ...view, seal: { block: 1, at: '2026-11-22 10:29:58', head: 'ab', waiting: 2 } })
  const { user } = await open('/report/statement?id=20')
  await openTab(user, t('seal.title'))
  expect(screen.getByText(t('seal.waiting', { count: '2' }))).toBeTruthy()
  expect(screen.queryByText(t('seal.file'))).toBeNull()
})

test('[BOOK-02] by keys: the parts are tabs, and a closed period leads back to the movements', async () => {
  const days = { start_date: '2026-11-16', end_date: '2026-11-21' }
  const sums = { opening: '0.0000', in: '5.0000', out: '0.0000', closing: '5.0000', held: '0.0000' }
  const closed = { id: 4, ...days, ...sums, accounts: 3, closed_by: 'Ann', closed_at: '2026-11-22 09:00:00' }
  server.answers('period/list', { data: [closed], next_start: '2026-11-22' })
  const { user } = await open()
  await waitFor(() =>
    expect(tabs()).toEqual([`${t('statement.movements')} 2`, `${t('statement.held')} 1`, `${t('period.closed')} 1`]),
  )
  screen.getByRole('tab', { selected: true }).focus()
  await user.keyboard('{End}')
  expect(document.activeElement?.textContent).toBe(`${t('period.closed')} 1`)
  expect(screen.queryByText('Weekly bonus')).toBeNull()
  const period = await screen.findByRole('button', { name: '2026-11-16 – 2026-11-21' })
  period.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(server.asked('statement/view').at(-1)).toMatchObject({ scope: 'branch', ...days }))
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe(`${t('statement.movements')} 2`)
  expect(document.activeElement?.classList).toContain('statement-page')
})
