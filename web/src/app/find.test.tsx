import { AccountStatus, Role, RoomStatus } from '@tallyroom/contract/codes'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../chat/model/chat-session.ts'
import { transferSource } from '../features/transfer/palette-transfers.tsx'
import { wantAct } from '../features/room/state/wanted-act.ts'
import { actSource } from '../features/room/search/palette-acts.tsx'
import { PointsButton } from '../features/room/desk/points-button.tsx'
import { t } from '../i18n/i18n.ts'
import { server } from '../testing/fake-server.ts'
import { memberView, menuPage, ownAccount, roomSummary, transferRow } from '../testing/fixtures.ts'
import { field, renderOffice } from '../testing/render.tsx'
import { PaletteHost } from './palette/palette-host.tsx'
import { addPaletteSource } from './palette/sources.ts'

addPaletteSource(async () => transferSource)
addPaletteSource(async () => actSource)

const mia = roomSummary({ owner_id: 10 })
/** The same lists each time: a new one would be a change. */
const [shown, none] = [[mia], []]
const row = transferRow({ amount: '500.0000' })
// Not module mocks: the files of a worker share their modules.
let restore = () => {}
afterEach(() => {
  restore()
  // The files of a worker share this too: a later room would do what is still wanted.
  wantAct({ code: 'none', act: 'points', amount: '' })
  window.history.replaceState(null, '', '/')
})
beforeEach(() => {
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
    this.querySelector('input')?.focus()
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
  Element.prototype.scrollIntoView = () => {}
  const spies = [
    vi.spyOn(rooms, 'list').mockImplementation((status) => (status === RoomStatus.shown ? shown : none)),
    vi.spyOn(rooms, 'listState').mockReturnValue({ loading: undefined } as never),
    vi.spyOn(rooms, 'sync').mockResolvedValue(undefined),
  ]
  restore = () => spies.forEach((spy) => spy.mockRestore())
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('userMenu/list', [menuPage('/user', { action: 'transaction,delete' }), menuPage('/report/statement')])
  server.answers('search/accounts', {
    data: [{ id: 20, role_id: Role.member, status: AccountStatus.active, username: 'mia01', nickname: 'Mia' }],
  })
  server.answers('transaction/list', ({ id }) => ({ data: id === undefined ? [row] : [], total: 1, next: null }))
  server.answers('transaction/view', {
    ...row,
    corrects: null,
    corrected_by: null,
    room: null,
    edits: [],
    postings: [],
  })
})
const addressOf = ({ room_id, member_id, code }: typeof mia) => `/chat/messaging/${room_id}/${member_id}/${code}`
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent ?? '')
const open = async (part = <PaletteHost />) => {
  // Opening the room keeps what is drawn.
  const view = await renderOffice(part, { path: '/chat/messaging/$room/$member/$code', address: addressOf(mia) })
  await view.user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox')
  return view
}

test('[FIND-03] “where are my 500 of yesterday” takes two keys and the digits', async () => {
  const { user } = await open()
  await user.keyboard('500')
  await waitFor(() => expect(options()[0]).toMatch(/^Points in · Mia \+500\.00.*2026-11-20/))
  const [byNumber, byAmount] = server.asked('transaction/list')
  expect(byNumber).toMatchObject({ id: '500' })
  expect(byAmount).toMatchObject({ min_amount: '500', max_amount: '500', username: '' })
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Points in · Mia', { selector: '.drawer-title, .drawer-title *' })).toBeTruthy()
  expect(server.asked('transaction/view')).toEqual([{ transaction_id: row.transaction_id }])
})

test('[FIND-03] a transfer is found by its id, which it says, and by an amount with a name', async () => {
  const { user } = await open()
  await user.keyboard('mia 500')
  await waitFor(() => expect(server.asked('transaction/list')).toHaveLength(2))
  expect(server.asked('transaction/list')).toMatchObject([
    { min_amount: '500', username: 'mia' },
    { remark: 'mia 500' },
  ])
  await waitFor(() =>
    expect(options().join()).toContain(t('palette.all_of', { amount: '500.00', period: 'This month' })),
  )
  server.answers('transaction/list', { data: [row], total: 1, next: null })
  await user.clear(screen.getByRole('combobox'))
  await user.type(screen.getByRole('combobox'), row.transaction_id)
  await waitFor(() => expect(options()[0]).toContain(t('palette.by_id', { id: row.id })))
  expect(server.asked('transaction/list').at(-1)).toMatchObject({ id: row.transaction_id })
  expect(server.asked('transaction/list')).toHaveLength(3)
})

test.each([
  ['500 yesterday', 'Yesterday', '2026-11-21 00:00:00', '2026-11-22 00:00:00', 'yesterday'],
  ['Today 500', 'Today', '2026-11-22 00:00:00', '2026-11-23 00:00:00', 'today'],
  ['7 days 500', '7 days', '2026-11-16 00:00:00', '2026-11-23 00:00:00', 'week'],
  ['500 last week', 'Last week', '2026-11-09 00:00:00', '2026-11-16 00:00:00', '2026-11-09..2026-11-15'],
  ['500 LAST MONTH', 'Last month', '2026-10-01 00:00:00', '2026-11-01 00:00:00', '2026-10-01..2026-10-31'],
])('[FIND-03] “%s” is an amount in that period', async (text, period, start_time, end_time, time) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  const { user, router } = await open()
  await user.type(screen.getByRole('combobox'), text)
  const title = t('palette.all_of', { amount: '500.00', period })
  await user.click(await screen.findByText(title))
  for (const asked of server.asked('transaction/list')) expect(asked).toMatchObject({ start_time, end_time })
  expect(server.asked('transaction/list').at(-1)).toMatchObject({ min_amount: '500', max_amount: '500', username: '' })
  await waitFor(() => expect(router.state.location.search).toEqual({ amount: '500-500', time }))
})

test('[FIND-03] a number with words that name nobody is a remark, not an amount', async () => {
  server.answers('transaction/list', ({ remark }) => ({ data: remark ? [row] : [], total: 1, next: null }))
  const { user, router } = await open()
  await user.type(screen.getByRole('combobox'), 'slip 4711 yesterday')
  await user.click(await screen.findByText(t('palette.all_with', { text: 'slip 4711', period: 'Yesterday' })))
  expect(options().join()).not.toContain('4,711')
  await waitFor(() => expect(router.state.location.search).toEqual({ remark: 'slip 4711', time: 'yesterday' }))
})

test('[FIND-03] words and broken amounts ask for no transfers', async () => {
  const { user } = await open()
  await user.type(screen.getByRole('combobox'), '1.2.3 mia')
  await waitFor(() => expect(options()).toContain('Freeze Miamia01'))
  expect(server.asked('transaction/list')).toEqual([])
})

test('[FIND-03] “give to”: the amount typed is in the points dialog of that room, and nothing is sent', async () => {
  const { user } = await open(
    <>
      <PointsButton room={mia} own={ownAccount()} />
      <PaletteHost />
    </>,
  )
  await user.keyboard('mia 500')
  const act = t('points.do_give', { amount: '500.00', name: 'Mia' })
  await user.click(await screen.findByText(act))
  await waitFor(() => expect(field(t('transfer.amount')).value).toBe('500'))
  expect(server.asked('transaction/add')).toEqual([])
})

test('[FIND-03] an act is for its own room alone', async () => {
  const { user } = await open(
    <>
      <PointsButton room={roomSummary({ code: 'another' })} own={ownAccount()} />
      <PaletteHost />
    </>,
  )
  await user.keyboard('mia 500')
  await user.click(await screen.findByText(t('points.do_give', { amount: '500.00', name: 'Mia' })))
  await waitFor(() => expect(window.document.querySelector('dialog')).toBeNull())
  expect(screen.queryByLabelText(t('transfer.amount'))).toBeNull()
})

test('[FIND-03] freezing and handing over are found by the person’s name, with or without their own', async () => {
  const { user } = await open()
  const [freeze, handOver] = [t('palette.freeze', { name: 'Mia' }), t('palette.hand_over', { name: 'Mia' })]
  await user.keyboard('mia')
  expect(await screen.findByText(freeze)).toBeTruthy()
  expect(screen.getByText(handOver)).toBeTruthy()
  await user.clear(screen.getByRole('combobox'))
  await user.type(screen.getByRole('combobox'), 'freeze mia')
  await waitFor(() => expect(options().map((text) => text.replace('mia01', ''))).toEqual([freeze]))
  await user.click(screen.getByText(freeze))
  expect(await screen.findByText(t('account.freeze_what'))).toBeTruthy()
  expect(server.asked('user/delete')).toEqual([])
})

test('[FIND-03] who may not freeze or send points is not offered it', async () => {
  server.answers('userMenu/list', [menuPage('/user', { action: 'transaction' })])
  server.answers('user/view', ownAccount({ red_envelope_button_visible: 0 }))
  const { user } = await open()
  await user.keyboard('mia')
  expect(await screen.findByText(t('palette.hand_over', { name: 'Mia' }))).toBeTruthy()
  expect(screen.queryByText(t('palette.freeze', { name: 'Mia' }))).toBeNull()
  expect(screen.queryByText(t('palette.send', { name: 'Mia' }))).toBeNull()
})

test('[FIND-03] “statement of” leads to the statement of that account', async () => {
  const { user, router } = await open()
  await user.keyboard('statement of mia')
  const title = t('palette.statement', { name: 'Mia' })
  await waitFor(() => expect(options().map((text) => text.replace('mia01', ''))).toEqual([title]))
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(router.state.location).toMatchObject({ pathname: '/report/statement', search: { id: 20 } }),
  )
})
