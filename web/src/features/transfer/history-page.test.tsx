import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { transferRow } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { HistoryPage } from './history-page.tsx'

const PATH = '/transaction/list/{-$username}'
const page = { id: 6, name: 'sr02', url: '/report/sr02', action: '' }

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  server.answers('userMenu/list', [])
  server.answers('transaction/list', { data: [transferRow()], total: 1, next: null })
  server.answers('redEnvelope/record', { data: [], total: 0, next: null })
})

const open = async (address = '/transaction/list') => {
  const view = await renderOffice(<HistoryPage />, { path: PATH, address })
  await screen.findByText('bonus')
  return view
}

test('[HIST-01] [HIST-04] the page searches at once: the last 24 hours, and the account of the address', async () => {
  await open('/transaction/list/mia01')
  expect(field(t('account.username')).value).toBe('mia01')
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

test('[HIST-01] [HIST-03] red envelopes are another list', async () => {
  const { user } = await open()
  await user.click(field(t('history.type')))
  await user.click(await screen.findByText(t('history.envelopes')))
  await user.click(button(t('action.search')))
  await waitFor(() => expect(server.asked('redEnvelope/record')).toHaveLength(1))
  expect(await screen.findByText(t('table.empty'))).toBeTruthy()
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
] as const)('[GUARD-02] with the menu %j the list can be exported: %s', async (menu, isShown) => {
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
  await user.click(button(t('history.edit_remark')))
  await fill(user, t('transfer.remark'), 'x'.repeat(60))
  await user.click(button(t('action.save')))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('transaction/edit')).toEqual([
    { request_id: expect.any(String), transaction_id: transferRow().transaction_id, remark: 'x'.repeat(50) },
  ])
})
