import { Role, TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { madeAsWords } from '@tallyroom/contract/words/code-words'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { menuPage, ownAccount, transferRow } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { cellOf } from '../../domain/report-cell.ts'
import { HistoryPage } from './history-page.tsx'

const PATH = '/transaction/list/{-$username}'
const page = menuPage('/transaction/list', { may: ['transaction/export'] })

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  server.answers('listView/list', { data: [] })
  server.answers('transaction/list', { data: [transferRow()], total: 1, next: null })
  server.answers('transaction/totals', { totals: { found: 1, given: '30.0000', taken: '0.0000' } })
  server.answers('redEnvelope/record', { data: [], total: 0, next: null })
})

const open = async (address = '/transaction/list', staleTime = 0) => {
  const view = await renderOffice(<HistoryPage />, { path: PATH, address, staleTime })
  await screen.findByText('bonus')
  return view
}

test('[HIST-01] [HIST-04] the page searches at once: the last 24 hours, and the account of the address', async () => {
  const { user } = await open('/transaction/list/mia01')
  expect(field(t('account.username')).value).toBe('mia01')
  await user.click(button(t('filter.dates')))
  await screen.findByLabelText(t('history.start'))
  expect([field(t('history.start')).value, field(t('history.end')).value]).toEqual([
    '2026-11-21 10:31',
    '2026-11-22 10:31',
  ])
  // Until the user chooses an end, what arrives meanwhile is found too.
  expect(server.asked('transaction/list')).toEqual([
    { username: 'mia01', start_time: '2026-11-21 10:31:00', end_time: '2026-11-23 10:31:00', per_page: 1000 },
  ])
})

test('[HIST-01] nothing more is asked while one types, and the button asks for what was typed', async () => {
  const { user } = await open()
  await fill(user, t('account.username'), ' gina ')
  expect(server.asked('transaction/list')).toHaveLength(1)
  await user.click(button(t('action.search')))
  await waitFor(() => expect(server.asked('transaction/list')).toHaveLength(2))
  expect(server.asked('transaction/list')[1]).toMatchObject({ username: 'gina' })
})

test('[HIST-01] the button asks again of both lists, and of the totals, also a moment after an answer', async () => {
  const { user } = await open('/transaction/list', 10_000)
  await waitFor(() => expect(server.asked('transaction/totals')).toHaveLength(1))
  server.answers('transaction/list', { data: [transferRow({ remark: 'just now' })], total: 1, next: null })
  await user.click(button(t('action.search')))
  expect(await screen.findByText('just now')).toBeTruthy()
  await waitFor(() => expect(server.asked('transaction/totals')).toHaveLength(2))
  await user.click(screen.getByRole('radio', { name: t('history.envelopes') }))
  await waitFor(() => expect(server.asked('redEnvelope/record')).toHaveLength(1))
  await user.click(button(t('action.search')))
  await waitFor(() => expect(server.asked('redEnvelope/record')).toHaveLength(2))
})

test('a preset searches at once, with the account that was typed, and shows what is chosen', async () => {
  const { user } = await open()
  await fill(user, t('account.username'), 'gina')
  await user.click(button(t('time.yesterday')))
  await waitFor(() => expect(server.asked('transaction/list')).toHaveLength(2))
  expect(server.asked('transaction/list')[1]).toMatchObject({
    username: 'gina',
    start_time: '2026-11-21 00:00:00',
    end_time: '2026-11-22 00:00:00',
  })
  const pressed = screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
  expect(pressed).toEqual([t('time.yesterday')])
})

test('[HIST-01] [HIST-03] what was made in conversations is another list, which says as what', async () => {
  const row = {
    transaction_id: transferRow().transaction_id,
    created_at: '2026-11-22 10:00:00',
    type: TransferKind.send,
    self_username: 'ann01',
    other_username: 'mia01',
    amount: '30.0000',
    status: TransferStatus.pending,
    corrected: false,
    remark: 'a slip',
  } as const
  const kinds = ['envelope', 'direct', 'request', 'approval'] as const
  const rows = kinds.map((made_as, at) => ({
    ...row,
    made_as,
    transaction_id: `7b0f6f0e-0000-4000-8000-00000000000${at}`,
  }))
  server.answers('redEnvelope/record', { data: rows, total: 4, next: null })
  vi.spyOn(globalThis, 'innerWidth', 'get').mockReturnValue(1440)
  onTestFinished(() => void vi.restoreAllMocks())
  const { user } = await open()
  await user.click(screen.getByRole('radio', { name: t('history.envelopes') }))
  const table = await screen.findByRole('table')
  await within(table).findAllByText('a slip')
  for (const word of Object.values(madeAsWords)) expect(within(table).getByText(t(word))).toBeTruthy()
  // No column is below that of the actions.
  expect(table.className).not.toContain('table-scrolls')
})

test('[MEMB-01] masked names lead to the pages of their accounts by id, and without one nowhere', async () => {
  const masked = { member_username: 'mi***1', user_username: 'an***1' }
  const rows = [
    transferRow({ ...masked, member_id: 20, user_id: 12 }),
    transferRow({ ...masked, id: '2', transaction_id: '7b0f6f0e-0000-4000-8000-000000000002', remark: 'other' }),
  ]
  server.answers('transaction/list', { data: rows, total: 2, next: null })
  await open()
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(hrefs.filter((href) => href?.startsWith('/member/'))).toEqual(['/member/~20', '/member/~12'])
})

test('[HIST-03] a transfer shows when, number, kind, member, amount, status, operator and remark', async () => {
  await open()
  const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(titles).toEqual(
    expect.arrayContaining(
      [
        'history.created_at',
        'history.id',
        'history.transaction_id',
        'history.type',
        'history.member',
        'transfer.amount',
        'account.status',
        'history.operator',
        'transfer.remark',
      ].map((key) => t(key as 'history.id')),
    ),
  )
  for (const text of ['2026-11-20 10:00:00', 'ann01', 'bonus']) expect(screen.getByText(text)).toBeTruthy()
})

test('[HIST-04] what is older is loaded below, from where the last page ended', async () => {
  server.once.answers('transaction/list', { data: [transferRow()], total: 1001, next: '1-1' })
  server.answers('transaction/list', { data: [transferRow({ id: '2', remark: 'older' })], total: 1, next: null })
  const { user } = await open()
  await user.click(button(t('history.load_more')))
  expect(await screen.findByText('older')).toBeTruthy()
  expect(screen.getByText('bonus')).toBeTruthy()
  expect(server.asked('transaction/list')[1]).toMatchObject({ before: '1-1', per_page: 1000 })
  expect(screen.queryByRole('button', { name: t('history.load_more') })).toBeNull()
})

test.each([
  [[page], true],
  [[], false],
] as const)('[CODE-04] with the menu %j the list can be exported: %s', async (menu, isShown) => {
  server.answers('userMenu/list', [...menu])
  await open()
  await waitFor(() => expect(screen.queryByRole('button', { name: t('account.export') }) !== null).toBe(isShown))
})

test('[HIST-01] an empty list says how to find more', async () => {
  server.answers('transaction/list', { data: [], total: 0, next: null })
  await renderOffice(<HistoryPage />, { path: PATH, address: '/transaction/list' })
  expect(await screen.findByText(t('history.widen'))).toBeTruthy()
})

test('[WIRE-04] a list that fails says why, and "Try again" loads it', async () => {
  server.once.refuses('transaction/list', 'report.range_invalid')
  const { user } = await renderOffice(<HistoryPage />, { path: PATH, address: '/transaction/list' })
  await waitFor(() => expect(alerts()).toEqual([expect.stringContaining(wordsOf('report.range_invalid'))]))
  await user.click(button(t('action.try_again')))
  expect(await screen.findByText('bonus')).toBeTruthy()
})

test('[ENV-08] the remark alone can be changed', async () => {
  server.answers('transaction/edit', null)
  const { user } = await open()
  await user.click(button(t('table.more')))
  await user.click(screen.getByRole('menuitem', { name: t('history.edit_remark') }))
  await fill(user, t('transfer.remark'), 'x'.repeat(60))
  await user.click(button(t('action.save')))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('transaction/edit')).toEqual([
    { request_id: expect.any(String), transaction_id: transferRow().transaction_id, remark: 'x'.repeat(50) },
  ])
})

test('[TREE-03] of a member with another upline the details say so, and offer no change', async () => {
  const row = transferRow({ past: 1 })
  server.answers('transaction/list', { data: [row], total: 1, next: null })
  server.answers('user/view', ownAccount({ role_id: Role.admin }))
  const posting = {
    leg: 0,
    at: '',
    username: 'ann01',
    role_id: Role.agent,
    wallet: WalletKind.main,
    amount: '-30.0000',
    balance_after: null,
  } as const
  server.answers('transaction/view', {
    ...row,
    postings: [posting],
    edits: [],
    room: null,
    corrects: null,
    corrected_by: null,
  })
  const { user } = await open()
  expect(screen.queryByRole('button', { name: t('table.more') })).toBeNull()
  await user.click(button(t('history.details')))
  expect(await screen.findByText(t('history.past'))).toBeTruthy()
  for (const key of ['history.edit_remark', 'transfer.correct'] as const)
    expect(screen.queryByRole('button', { name: t(key) })).toBeNull()
})

test('[FIND-01] the details of another row take the place of the open ones, and the address names them', async () => {
  const rows = [1, 2].map((n) =>
    transferRow({ id: String(n), transaction_id: `7b0f6f0e-0000-4000-8000-00000000000${n}`, remark: `slip ${n}` }),
  )
  server.answers('transaction/list', { data: rows, total: 2, next: null })
  server.answers('user/view', ownAccount())
  server.answers('transaction/view', ({ transaction_id }) => ({
    ...(rows.find((row) => row.transaction_id === transaction_id) ?? transferRow()),
    postings: [],
    edits: [],
    room: null,
    corrects: null,
    corrected_by: null,
  }))
  const { user } = await renderOffice(<HistoryPage />, { path: PATH, address: '/transaction/list' })
  await screen.findByText('slip 1')
  for (const n of [1, 2]) {
    const details = screen.getAllByRole('button', { name: t('history.details'), hidden: true })[n - 1]
    if (details) await user.click(details)
    expect(await within(await screen.findByRole('dialog')).findByText(`slip ${n}`)).toBeTruthy()
  }
})

test.each([
  [4, 'envelope.pending'],
  [1, 'envelope.received'],
] as const)(
  '[HIST-03] an envelope with status %i reads in the record and in its details as "%s"',
  async (status, word) => {
    const row = transferRow({ status, envelope: 1 })
    const { transaction_id, created_at, amount } = row
    const names = { self_username: 'ann01', other_username: 'mia01' }
    const listed = { transaction_id, created_at, amount, status, ...names, corrected: false, remark: 'a slip' }
    server.answers('redEnvelope/record', {
      data: [{ ...listed, type: TransferKind.send, made_as: 'envelope' }],
      total: 1,
      next: null,
    })
    server.answers('user/view', ownAccount())
    const rest = { postings: [], edits: [], room: null, corrects: null, corrected_by: null }
    server.answers('transaction/view', { ...row, ...rest })
    const { user } = await renderOffice(<HistoryPage />, { path: PATH, address: '/transaction/list?type=2' })
    expect(await screen.findByText(t(word))).toBeTruthy()
    await user.click(button(t('history.details')))
    expect(await within(await screen.findByRole('dialog')).findByText(t(word))).toBeTruthy()
  },
)

test('[FIND-01] the filters of the address are asked for, of the rows and of their totals alike', async () => {
  await open('/transaction/list?amount=100-500&kind=1,4&status=4&remark=lost%20slip&room=room-1&time=yesterday')
  const filter = {
    min_amount: '100',
    max_amount: '500',
    types: [TransferKind.send, TransferKind.makeUp],
    statuses: [TransferStatus.pending],
    remark: 'lost slip',
    room: 'room-1',
    start_time: '2026-11-21 00:00:00',
  }
  expect(server.asked('transaction/list')).toMatchObject([filter])
  await waitFor(() => expect(server.asked('transaction/totals')).toMatchObject([filter]))
  expect(await screen.findByText('+30.00', { selector: '.history-totals *' })).toBeTruthy()
  expect(screen.getByText(t('history.room'))).toBeTruthy()
})

test('[FIND-01] an id is looked for in a year, and what an address says beside the values is not asked for', async () => {
  const first = await open('/transaction/list?id=7b0f6f0e-0000-4000-8000-000000000001')
  expect(server.asked('transaction/list')[0]).toMatchObject({
    id: '7b0f6f0e-0000-4000-8000-000000000001',
    start_time: '2025-11-23 10:31:00',
  })
  first.unmount()
  const pasted = await open(`/transaction/list?id=${encodeURIComponent('\u202a৪৭১১\u202c')}`)
  expect(server.asked('transaction/list')[1]).toMatchObject({ id: '4711' })
  pasted.unmount()
  await open('/transaction/list?id=500%20of%20yesterday&amount=1.2.3-...&kind=99,x&status=7')
  const { id, ...others } = server.asked('transaction/list')[2] ?? {}
  expect(id).toBe('0')
  expect(Object.keys(others)).toEqual(['username', 'start_time', 'end_time', 'per_page'])
})

test('[FIND-01] too many transfers have no totals, and the page says why', async () => {
  server.answers('transaction/totals', { totals: null })
  await open()
  expect(await screen.findByText(t('history.too_many'))).toBeTruthy()
})

test('[BOOK-03] a link of SR02 asks for what its cell counts, to the last second of the day; another text is no cell', async () => {
  server.answers('user/path', { path: [] })
  await open('/transaction/list?cell=points-branch-12-in-7&time=2026-11-20..2026-11-21')
  expect(server.asked('transaction/list')[0]).toMatchObject({
    cell: { what: 'points', by: 'branch', id: 12, way: 'in', under: 7 },
    start_time: '2026-11-20 00:00:00',
    end_time: '2026-11-21 23:59:59',
  })
  expect(cellOf('points-branch-12-all-')).toEqual({ what: 'points', by: 'branch', id: 12 })
  for (const text of [
    '',
    'points',
    'points-branch-0-in-',
    'points-branch-1x-in-',
    'gold-branch-1-in-',
    'points-all-1-in-',
  ])
    expect(cellOf(text)).toBeUndefined()
})
