import { screen, waitFor } from '@testing-library/react'
import { TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../chat/model/chat-session.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { memberView, moved, offer, ownAccount, roomSummary } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { PointsDialog } from './points-dialog.tsx'

const onClose = vi.fn<() => void>()
// Not a module mock: the files of a worker share their modules.
let restore = () => {}
afterEach(() => restore())
beforeEach(() => {
  const spy = vi.spyOn(rooms, 'sync').mockResolvedValue(undefined)
  restore = () => spy.mockRestore()
  onClose.mockClear()
  server.answers('member/view', memberView())
  server.answers('user/view', ownAccount())
})

/** A room of its own for each test: refused input is kept by room. */
let lastRoom = 0
const open = (own = ownAccount(), member = memberView()) => {
  const room = roomSummary({ code: `room-${++lastRoom}` })
  const dialog = () => renderOffice(<PointsDialog room={room} own={own} member={member} onClose={onClose} />)
  return { room, dialog }
}
type User = Awaited<ReturnType<ReturnType<typeof open>['dialog']>>['user']
const act = (amount: string, verb: 'give' | 'take' | 'ask' = 'give') => t(`points.do_${verb}`, { amount, name: 'Mia' })
const sendAmount = async (user: User, amount: string) => {
  await fill(user, t('transfer.amount'), amount)
  await user.click(button(t('action.next')))
  await user.click(button(act(exactAmount(amount))))
}
/** The wallets and facts on the screen, as pairs of label and value. */
const shown = () =>
  screen
    .getAllByRole('term')
    .map((term) => [term.textContent?.trim(), term.parentElement?.textContent?.slice(term.textContent?.length)])
/** A wallet's amounts as they are read out. */
const fromTo = (before: string, after: string) =>
  `${t('history.balance_before')} ${before}${t('history.balance')} → ${after}`
const choices = () => screen.queryAllByRole('radio').map((radio) => radio.closest('label')?.textContent)

test('[ENV-01] the kinds are those that the server offers', async () => {
  const offers = [offer(TransferKind.send), offer(TransferKind.makeUp), offer(TransferKind.gameDeduct)]
  await open(ownAccount(), memberView({ offers })).dialog()
  expect(choices()).toEqual([t('room.points_send'), t('points.kind_make_up'), t('points.kind_game_out')])
})

test('[ENV-02] [ENV-09] points go to the member of the room, with the turnover that the flags say', async () => {
  server.answers('transaction/add', moved())
  const { room, dialog } = open(ownAccount({ transfer_member_flow_limit_multiple: 3 }))
  const { user } = await dialog()
  expect(field(t('room.turnover'))).toHaveProperty('disabled', true)
  await sendAmount(user, '30.5')
  await screen.findByText(t('transfer.moved'))
  expect(server.asked('transaction/add')).toEqual([
    {
      request_id: expect.any(String),
      member_id: 20,
      type: TransferKind.send,
      amount: '30.5',
      audit_amount: '91.5',
      remark: '',
      platform: WalletKind.main,
      code: room.code,
    },
  ])
})

test('[ENV-03] turnover is open to those who may change it, and hidden when points are taken or with several wallets', async () => {
  const free = await open(ownAccount({ flow_limit_modify_permission: 1 })).dialog()
  expect(field(t('room.turnover'))).toHaveProperty('disabled', false)
  await free.user.click(screen.getByRole('radio', { name: t('room.points_receive') }))
  expect(screen.queryByLabelText(t('room.turnover'))).toBeNull()
  free.unmount()
  await open(ownAccount(), memberView({ is_multiple_wallet: 1 })).dialog()
  expect(screen.queryByLabelText(t('room.turnover'))).toBeNull()
})

test.each([
  [1, ['wallet.main', 'wallet.game']],
  [0, []],
] as const)('[ENV-04] with transaction_all %i the wallets to choose from are %j', async (transaction_all, wallets) => {
  await open(ownAccount(), memberView({ transaction_all, is_multiple_wallet: 1 })).dialog()
  expect(choices()).toEqual(expect.arrayContaining(wallets.map((key) => t(key))))
  expect(screen.queryByText(t('transfer.wallet')) !== null).toBe(wallets.length > 0)
})

test('[ENV-02] without an amount nothing goes on, and a make-up says why', async () => {
  const { user } = await open(
    ownAccount(),
    memberView({ offers: [offer(TransferKind.send), offer(TransferKind.makeUp)] }),
  ).dialog()
  await user.click(screen.getByRole('radio', { name: t('points.kind_make_up') }))
  await user.click(button(t('action.next')))
  expect(alerts()).toEqual([t('transfer.amount_needed'), t('transfer.remark_needed')])
})

test('[TRF-08] a refusal keeps the form with what was typed', async () => {
  server.refuses('transaction/add', 'transfer.member_not_enough')
  const { user } = await open().dialog()
  await fill(user, t('transfer.remark'), 'why')
  await sendAmount(user, '30')
  await waitFor(() => expect(alerts()).toEqual([wordsOf('transfer.member_not_enough')]))
  expect([field(t('transfer.amount')).value, field(t('transfer.remark')).value]).toEqual(['30', 'why'])
})

test('[TRF-08] a refusal that closes the dialog loses nothing: it opens again with what was typed', async () => {
  server.refuses('transaction/add', 'transfer.one_open_at_a_time')
  const { dialog } = open()
  const first = await dialog()
  await sendAmount(first.user, '30')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(alerts()).toContain(wordsOf('transfer.one_open_at_a_time'))
  first.unmount()
  const { user, unmount } = await dialog()
  expect(field(t('transfer.amount')).value).toBe('30')
  expect(screen.getByText(t('amount.kept'))).toBeTruthy()
  await user.keyboard('5')
  expect(field(t('transfer.amount')).value).toBe('5')
  expect(screen.queryByText(t('amount.kept'))).toBeNull()
  unmount()
  await dialog()
  expect(field(t('transfer.amount')).value).toBe('')
})

test.each(['Cancel', 'Esc'])(
  '[TEXT-01] a refused amount is selected, so the next digit replaces it, and after %s it is gone',
  async (how) => {
    server.refuses('transaction/add', 'transfer.not_enough')
    const { dialog } = open()
    const { user, unmount } = await dialog()
    await sendAmount(user, '70000')
    await waitFor(() => expect(alerts()).toEqual([wordsOf('transfer.not_enough')]))
    expect(document.activeElement).toBe(field(t('transfer.amount')))
    await user.keyboard('50')
    expect(field(t('transfer.amount')).value).toBe('50')
    if (how === 'Esc') await user.keyboard('{Escape}')
    else await user.click(button(t('action.cancel')))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    unmount()
    await dialog()
    expect(field(t('transfer.amount')).value).toBe('')
    expect(screen.queryByText(t('amount.kept'))).toBeNull()
  },
)

test('[TRF-10] [ENV-09] while the outcome is unknown the same request is asked again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  server.once.losesAnswer('transaction/add')
  server.answers('transaction/add', moved())
  const { user } = await open().dialog()
  await sendAmount(user, '30')
  expect(await screen.findByText(t('transfer.checking'))).toBeTruthy()
  await vi.advanceTimersByTimeAsync(1000)
  expect(await screen.findByText(t('transfer.moved'))).toBeTruthy()
  const [first, second] = server.asked('transaction/add')
  expect(second).toEqual(first)
})

test('[ENV-06] when consent is needed the dialog says so before and after', async () => {
  server.answers('transaction/add', moved({ status: TransferStatus.pending }))
  const { user } = await open(ownAccount(), memberView({ consent_needed: 1 })).dialog()
  expect(screen.getByText(/^Mia must accept by \d\d-\d\d \d\d:\d\d\. Until then the points are held\.$/)).toBeTruthy()
  await sendAmount(user, '30')
  expect(await screen.findByText(t('transfer.offered'))).toBeTruthy()
})

test('[ENV-10] a link leads to the transfers of the member', async () => {
  await open().dialog()
  expect(screen.getByRole('link', { name: t('room.history') }).getAttribute('href')).toBe('/transaction/list/mia01')
})

test('[ENV-10] [FIND-01] of a member whose name is masked it leads to the transfers of this conversation', async () => {
  const { room, dialog } = open(ownAccount(), memberView({ username: 'mi***a01' }))
  await dialog()
  expect(screen.getByRole('link', { name: t('room.history') }).getAttribute('href')).toBe(
    `/transaction/list?room=${room.code}&time=month`,
  )
})

test('[ENV-05] event mode locks the dialog 1.2 s after it opened', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  server.answers('member/view', memberView({ event_mode: 1 }))
  await open().dialog()
  expect(field(t('transfer.amount'))).toBeTruthy()
  await vi.advanceTimersByTimeAsync(1300)
  expect(await screen.findByText(t('transfer.event_mode'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('action.next') })).toBeNull()
})

test('[CONV-14] the confirmation says verb, amount and name, and both wallets before and after', async () => {
  server.answers('transaction/add', moved())
  const { user } = await open(ownAccount(), memberView({ consent_needed: 0 })).dialog()
  await user.click(screen.getByRole('radio', { name: t('room.points_receive') }))
  await fill(user, t('transfer.amount'), '30')
  expect(shown()).toEqual([
    ['Mia', fromTo('100.00', '70.00')],
    [`${t('points.own_wallet')} (Dana)`, fromTo('900.00', '930.00')],
  ])
  await user.click(button(t('action.next')))
  expect(screen.getByRole('dialog', { name: 'Collect 30.00 from Mia?' })).toBeTruthy()
  expect(screen.getByText(t('transfer.confirm_title'))).toBeTruthy()
  expect(screen.getByText('Points out · Mia (mia01)')).toBeTruthy()
  expect(screen.getByText('−30.00').className).toContain('points-out')
  expect(shown()).toEqual([
    ['Mia', fromTo('100.00', '70.00')],
    [`${t('points.own_wallet')} (Dana)`, fromTo('900.00', '930.00')],
    [t('room.points_kind'), t('room.points_receive')],
    [t('transfer.remark'), t('points.none')],
  ])
  await user.click(button('Collect 30.00 from Mia'))
  await screen.findByText(t('transfer.moved'))
})

test('[CONV-14] [CONV-15] customer service sees the wallet of its group, and points in green that the member gets', async () => {
  const { user } = await open(ownAccount({ id: 11 })).dialog()
  await fill(user, t('transfer.amount'), '950.5')
  expect(shown()).toEqual([
    [`${t('points.group_wallet')} (Dana)`, fromTo('900.00', '−50.50')],
    ['Mia', fromTo('100.00', '1,050.50')],
  ])
  await user.click(button(t('action.next')))
  expect(screen.getByText('+950.50').className).toContain('points-in')
})
