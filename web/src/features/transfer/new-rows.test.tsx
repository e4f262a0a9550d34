import { TransferStatus } from '@tallyroom/contract/codes'
import type { Message, RoomChange, TransferMessage } from '@tallyroom/contract/events'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLive, stopLive } from '../../api/live.ts'
import { t } from '../../i18n/i18n.ts'
import { fakeSocket } from '../../testing/fake-socket.ts'
import { server } from '../../testing/fake-server.ts'
import { roomSummary, transferRow } from '../../testing/fixtures.ts'
import { cashCard, cashMessage, message, pointsMessage } from '../../testing/message-fixtures.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { HistoryPage } from './history-page.tsx'

const row = (id: number, fields: Partial<ReturnType<typeof transferRow>> = {}) =>
  transferRow({ id: String(id), transaction_id: idOf(id), remark: `slip ${id}`, ...fields })
const idOf = (id: number) => `7b0f6f0e-0000-4000-8000-00000000000${id}`
const old = row(1)
const waiting = row(2, { created_at: '2026-11-22 10:20:00', status: TransferStatus.pending, envelope: 1 })

let socket: ReturnType<typeof fakeSocket>
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  socket = fakeSocket()
  server.answers('listView/list', { data: [] })
  server.answers('transaction/list', { data: [waiting, old], total: 2, next: null })
  server.answers('transaction/totals', { totals: { found: 2, given: '30.0000', taken: '0.0000' } })
})
afterEach(() => {
  stopLive()
  socket.stop()
})

const open = async (search = '') => {
  void startLive()
  await socket.isReady()
  const view = await renderOffice(<HistoryPage />, { path: '/transaction/list', address: `/transaction/list${search}` })
  await screen.findByText('slip 1')
  return view
}
const inRoom = (messages: Message[], code = 'r1') => {
  const {
    message_read: _,
    read_seq: _seq,
    marked_unread: _mark,
    mark_version: _version,
    ...room
  } = roomSummary({ code })
  const change: RoomChange = { code, since: 1, version: 2, reset: false, messages, room }
  socket.arrives('room', { ...change, room: { ...room, partner_username: 'mia01' } })
}
const given = (id: number, fields: Partial<TransferMessage> = {}) =>
  pointsMessage({ transaction_id: idOf(id), remark: `slip ${id}`, ...fields })
const asked = () => server.asked('transaction/list').slice(1)
const found = (count: number) => t('history.show_new', { n: count, count: String(count) })
/** Everything that the events so far lead to. */
const later = () => vi.advanceTimersByTimeAsync(10_000)
const successes = (count: number) => () => expect(screen.getAllByText(t('status.success'))).toHaveLength(count)
const slips = () => screen.queryAllByText(/^slip \d$/).map(({ textContent }) => textContent)

test('[HIST-04] new transfers are counted above the list, asked for once from its newest row on, and shown on demand', async () => {
  const { user } = await open('?remark=slip')
  const details = screen.getAllByRole('button', { name: t('history.details') })[1]
  details?.focus()
  const same = row(3, { created_at: waiting.created_at })
  server.answers('transaction/list', {
    data: [row(4, { created_at: '2026-11-22 10:31:00' }), same, waiting],
    total: 3,
    next: null,
  })
  for (const id of [3, 4]) inRoom([given(id)])
  socket.arrives('account', { account_id: 2 })
  await later()
  expect(asked()).toMatchObject([
    { remark: 'slip', start_time: '2026-11-22 10:20:00', end_time: '2026-11-23 10:31:00' },
  ])
  // Neither the rows nor the focus have moved.
  expect(slips()).toEqual(['slip 2', 'slip 1'])
  expect(document.activeElement).toBe(details)

  await user.click(button(found(2)))
  await waitFor(() => expect(slips()).toEqual(['slip 4', 'slip 3', 'slip 2', 'slip 1']))
  expect(screen.queryByRole('button', { name: found(2) })).toBeNull()
  expect(document.activeElement?.className).toBe('table-scroll')
  expect(screen.getByText(t('table.count', { n: 4, count: '4' }))).toBeTruthy()
  await waitFor(() => expect(server.asked('transaction/totals')).toHaveLength(2))
})

test('[HIST-04] an empty list shows at once what comes', async () => {
  server.once.answers('transaction/list', { data: [], total: 0, next: null })
  void startLive()
  await socket.isReady()
  await renderOffice(<HistoryPage />, { path: '/transaction/list' })
  await screen.findByText(t('table.empty'))
  socket.arrives('account', { account_id: 2 })
  expect(await screen.findByText('slip 2')).toBeTruthy()
})

test('[HIST-04] more than an answer holds is loaded as a list of its own', async () => {
  const { user } = await open()
  server.once.answers('transaction/list', { data: [row(4)], total: 1001, next: '1-1' })
  socket.arrives('member', { account_id: 20 })
  await later()
  server.answers('transaction/list', { data: [row(5), row(4), row(3)], total: 3, next: null })
  await user.click(button(found(1)))
  await waitFor(() => expect(slips()).toEqual(['slip 5', 'slip 4', 'slip 3']))
})

test.each([
  ['?time=yesterday', 'a period that has ended'],
  [`?id=${idOf(1)}`, 'an id'],
  ['?room=r2', 'another room'],
])('[FIND-01] the search %s asks for nothing after an event: %s', async (search) => {
  await open(search)
  inRoom([given(3)])
  inRoom([message()])
  await later()
  expect(asked()).toEqual([])
})

test('[ENV-07] a row shows what became of its transfer, in its place and without asking for others', async () => {
  await open()
  const done = { ...waiting, status: TransferStatus.success }
  server.answers('transaction/list', { data: [done], total: 1, next: null })
  inRoom([given(2, { transaction_status: TransferStatus.pending })])
  await later()
  expect(asked()).toEqual([])

  inRoom([given(2), given(1)])
  await waitFor(successes(2))
  expect(slips()).toEqual(['slip 2', 'slip 1'])
  const at = { start_time: waiting.created_at, end_time: waiting.created_at }
  expect(asked()).toEqual([{ ...at, id: idOf(2), per_page: 1000 }])
})

test('[CASH-03] a request that is refused is seen in the log', async () => {
  server.answers('transaction/list', { data: [{ ...waiting, request: 'asked' }, old], total: 2, next: null })
  await open()
  const refused = { ...waiting, status: TransferStatus.rejected, request: 'refused' } as const
  server.answers('transaction/list', { data: [refused], total: 1, next: null })
  inRoom([cashMessage({ cash: cashCard({ state: 'refused', direction: 'out' }) })])
  expect(await screen.findByText(t('cash.state_refused'))).toBeTruthy()
})

test('[HIST-04] after a break the list looks for new rows and for those that wait no longer', async () => {
  await open()
  const done = { ...waiting, status: TransferStatus.success }
  server.answers('transaction/list', ({ statuses, id }) =>
    statuses ? { data: [], total: 0, next: null } : { data: id ? [done] : [row(3)], total: 1, next: null },
  )
  socket.arrives('missed', {})
  expect(await screen.findByRole('button', { name: found(1) })).toBeTruthy()
  await later()
  successes(2)()
  expect(asked()).toHaveLength(3)
})

test('[HIST-04] transfers in groups below, of which no event tells, are looked for while somebody uses the page', async () => {
  const { user, unmount } = await open()
  server.answers('transaction/list', { data: [row(3)], total: 1, next: null })
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked()).toEqual([])
  visibility.mockRestore()
  await vi.advanceTimersByTimeAsync(35_000)
  expect(await screen.findByRole('button', { name: found(1) })).toBeTruthy()
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  const count = asked().length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked()).toHaveLength(count)
  await user.keyboard('{Shift}')
  await vi.advanceTimersByTimeAsync(35_000)
  const again = asked().length
  expect(again).toBeGreaterThan(count)
  unmount()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked()).toHaveLength(again)
})
