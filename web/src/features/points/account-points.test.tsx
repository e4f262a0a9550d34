import { screen, waitFor } from '@testing-library/react'
import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { watchConnection } from '../../api/connection.ts'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { memberView, moved, offer, ownAccount } from '../../testing/fixtures.ts'
import { signed, signOptions, withPasskeys } from '../../testing/passkeys.ts'
import { alerts, asksToStay, button, field, fill, goOnline, renderOffice } from '../../testing/render.tsx'
import { protection } from '../../ui/overlay/protection.ts'
import { AccountPoints } from './account-points.tsx'

const onClose = vi.fn<() => void>()
beforeEach(() => {
  onClose.mockClear()
  server.answers('user/view', ownAccount())
})

const open = async (account = memberView(), isDeposit = false) => {
  server.answers('member/view', account)
  const view = await renderOffice(<AccountPoints id={20} isDeposit={isDeposit} onClose={onClose} />)
  await waitFor(() => field(t('transfer.amount')))
  return view
}
type User = Awaited<ReturnType<typeof open>>['user']
const choose = (user: User, kind: 'send' | 'receive') =>
  user.click(screen.getByRole('radio', { name: t(`room.points_${kind}`) }))
const kinds = () => screen.queryAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
const fillIn = async (user: User, amount = '30') => {
  await fill(user, t('transfer.amount'), amount)
  await fill(user, t('transfer.remark'), 'bonus')
}
const goOn = (user: User) => user.click(button(t('action.next')))
/** The main button of the confirmation and of the password step: verb, amount and name. */
const sendButton = (amount = '30.00', act: 'give' | 'take' = 'give') =>
  button(t(`points.do_${act}`, { amount, name: 'Mia' }))
const send = (user: User, ...what: Parameters<typeof sendButton>) => user.click(sendButton(...what))

test('[TRF-07] [TRF-09] a transfer is confirmed with what is left on both sides, sent once and said', async () => {
  server.answers('user/transaction', moved())
  const { user } = await open()
  expect(server.asked('member/view')).toEqual([{ member_id: 20, from: 'list' }])
  await fillIn(user, '30.1234')
  await goOn(user)
  const lines = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  const [was, is] = [t('history.balance_before'), t('history.balance')]
  const wallets = [`${was} 900.00`, `${is} → 869.8766`, `${was} 100.00`, `${is} → 130.1234`]
  expect(lines).toEqual([...wallets, t('room.points_send'), 'bonus'])
  expect(server.asked('user/transaction')).toEqual([])
  await send(user, '30.1234')
  expect(await screen.findByText(t('transfer.moved'))).toBeTruthy()
  expect(server.asked('user/transaction')).toEqual([
    { request_id: expect.any(String), id: 20, amount: '30.1234', remark: 'bonus', type: WalletKind.main },
  ])
})

test('[TRF-02] [CONV-14] agents get and return points in the same dialog, with the usual amounts and their credit', async () => {
  server.answers('user/transaction', moved({ target_balance: '-800.0000' }))
  const anna = {
    role_id: Role.agent,
    username: 'anna01',
    nickname: 'Anna',
    balance: '-300.0000',
    limit_of_credit: '1000.0000',
  }
  const { user } = await open(
    memberView({ ...anna, offers: [offer(TransferKind.send), offer(TransferKind.receive, { last: '500.0000' })] }),
  )
  expect(kinds()).toEqual([t('room.points_send'), t('room.points_receive')])
  await user.click(button('5,000'))
  const amounts = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  const [was, is] = [t('history.balance_before'), t('history.balance')]
  expect(amounts).toEqual([`${was} 900.00`, `${is} → −4,100.00`, `${was} 700.00`, `${is} → 5,700.00`])
  await choose(user, 'receive')
  await user.click(button(`${t('points.last_time')} 500.00`))
  await fill(user, t('transfer.remark'), 'back')
  await goOn(user)
  await user.click(button(t('points.do_take', { amount: '500.00', name: 'Anna' })))
  await screen.findByText(t('transfer.moved'))
  expect(screen.getByText('200.00')).toBeTruthy()
  expect(server.asked('user/transaction')[0]).toMatchObject({ amount: '-500', type: WalletKind.main })
})

test('[CASH-12] above a limit it is asked for, with a reason for the approver', async () => {
  server.answers('user/transaction', moved({ approval: 1 }))
  const limit = { left: '20.0000', over: 'day', most: '50.0000', approver: 'Ada' } as const
  const { user } = await open(memberView({ offers: [offer(TransferKind.send, { limit })] }))
  await fillIn(user)
  await fill(user, t('approval.for_approver'), 'opening')
  await goOn(user)
  await user.click(button('Ask Ada to approve 30.00'))
  await waitFor(() => expect(server.asked('user/transaction')[0]).toMatchObject({ reason: 'opening' }))
})

test('[TRF-07] a press that comes too soon to have read the confirmation sends nothing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  protection.ms = 500
  onTestFinished(() => {
    protection.ms = 0
  })
  server.answers('user/transaction', moved())
  const { user } = await open()
  await fillIn(user)
  await user.dblClick(button(t('action.next')))
  // A user who goes on pressing has not read it either.
  for (let press = 0; press < 4; press++) {
    await vi.advanceTimersByTimeAsync(200)
    await send(user)
  }
  await vi.advanceTimersByTimeAsync(600)
  await user.click(button(t('action.back')))
  field(t('transfer.remark')).focus()
  await user.keyboard('{Enter}')
  await vi.advanceTimersByTimeAsync(600)
  await waitFor(() => expect(sendButton().closest('form')?.dataset).toEqual({}))
  expect(document.activeElement).toBe(sendButton())
  expect(server.asked('user/transaction')).toEqual([])
  await user.keyboard('{Enter}')
  expect(await screen.findByText(t('transfer.moved'))).toBeTruthy()
  expect(server.asked('user/transaction')).toHaveLength(1)
})

test('[TRF-05] [TRF-01] without an amount or a remark nothing goes on', async () => {
  const { user } = await open()
  await goOn(user)
  expect(alerts()).toEqual([t('transfer.amount_needed'), t('transfer.remark_needed')])
  expect(screen.queryByText(t('transfer.confirm_title'))).toBeNull()
})

test('[TRF-01] [TRF-02] [TEXT-01] a minus collects, and is no amount in a deposit', async () => {
  server.answers('user/transaction', moved())
  const { user, unmount } = await open()
  await user.type(field(t('transfer.amount')), '-5')
  expect(field(t('transfer.amount')).value).toBe('5')
  expect(screen.getByRole('radio', { name: t('room.points_receive') })).toHaveProperty('checked', true)
  await fill(user, t('transfer.remark'), 'bonus')
  await goOn(user)
  await send(user, '5.00', 'take')
  await screen.findByText(t('transfer.moved'))
  expect(server.asked('user/transaction')[0]).toMatchObject({ amount: '-5' })
  unmount()
  const deposit = await open(memberView(), true)
  expect(kinds()).toEqual([])
  await deposit.user.type(field(t('transfer.amount')), '-5.5')
  expect(alerts()).toEqual([t('amount.no_minus')])
  await goOn(deposit.user)
  expect(alerts()).toEqual([t('amount.no_minus'), t('transfer.remark_needed')])
  expect(field(t('transfer.amount')).value).toBe('-5.5')
})

test.each([
  [true, 0],
  [false, 1],
] as const)(
  '[TRF-03] [TRF-04] with the deduction %s the game wallet is emptied too, or it says why not',
  async (may, tips) => {
    server.answers('user/transaction', moved())
    const offers = [
      TransferKind.send,
      TransferKind.receive,
      TransferKind.gameSend,
      ...(may ? [TransferKind.gameDeduct] : []),
    ]
    const { user } = await open(memberView({ is_multiple_wallet: 1, offers: offers.map((kind) => offer(kind)) }))
    await user.click(screen.getByRole('radio', { name: t('points.kind_game_in') }))
    expect(screen.queryAllByText(t('transfer.game_wallet_tip'))).toHaveLength(tips)
    await user.type(field(t('transfer.amount')), '-5')
    expect(alerts()).toEqual(may ? [] : [t('amount.no_minus')])
    if (!may) return
    await fill(user, t('transfer.remark'), 'bonus')
    await goOn(user)
    await send(user, '5.00', 'take')
    await screen.findByText(t('transfer.moved'))
    expect(server.asked('user/transaction')[0]).toMatchObject({ amount: '-5', type: WalletKind.game })
  },
)

test('[TRF-08] a refusal keeps the form with what was typed, and the next try is another request', async () => {
  server.once.refuses('user/transaction', 'transfer.not_enough')
  server.answers('user/transaction', moved())
  const { user } = await open()
  await fillIn(user)
  await goOn(user)
  await send(user)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('transfer.not_enough')]))
  expect([field(t('transfer.amount')).value, field(t('transfer.remark')).value]).toEqual(['30', 'bonus'])
  await goOn(user)
  await send(user)
  await screen.findByText(t('transfer.moved'))
  const [first, second] = server.asked('user/transaction').map(({ request_id }) => request_id)
  expect(first).not.toBe(second)
})

test('[TRF-08] code 1414 is an alert on the page and closes the dialog', async () => {
  server.refuses('user/transaction', 'transfer.frozen')
  const { user } = await open()
  await fillIn(user)
  await goOn(user)
  await send(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(alerts()).toContain(wordsOf('transfer.frozen'))
})

test('[TRF-10] while the outcome is unknown the dialog says so and asks again with the same request', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  server.once.losesAnswer('user/transaction')
  server.once.losesAnswer('user/transaction')
  server.answers('user/transaction', moved())
  const { user } = await open()
  await fillIn(user)
  await goOn(user)
  await send(user)
  expect(await screen.findByText(t('transfer.checking'))).toBeTruthy()
  // A page that is left would ask no more.
  expect(asksToStay()).toBe(true)
  await vi.advanceTimersByTimeAsync(3000)
  expect(await screen.findByText(t('transfer.moved'))).toBeTruthy()
  expect(asksToStay()).toBe(false)
  const asked = server.asked('user/transaction')
  expect(asked).toHaveLength(3)
  expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(1)
})

test('[TRF-10] [CONV-16] once the line is back the dialog asks again at once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const stop = watchConnection({ asks: false })
  try {
    for (let times = 0; times < 5; times++) server.once.losesAnswer('user/transaction')
    server.answers('user/transaction', moved())
    const { user } = await open()
    await fillIn(user)
    await goOn(user)
    await send(user)
    await screen.findByText(t('transfer.checking'))
    goOnline(false)
    await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000 + 8000)
    expect(server.asked('user/transaction')).toHaveLength(5)
    goOnline(true)
    expect(await screen.findByText(t('transfer.moved'))).toBeTruthy()
  } finally {
    goOnline(true)
    stop()
  }
})

test('[TRF-06] the payment password is asked for when the server wants it, and a wrong one may be typed again', async () => {
  server.once.refuses('user/transaction', 'transfer.needs_payment_password')
  server.once.refuses('user/transaction', 'transfer.wrong_payment_password')
  server.answers('user/transaction', moved())
  const { user } = await open()
  await fillIn(user)
  await goOn(user)
  await send(user)
  await waitFor(() => expect(field(t('payment.password'))).toBeTruthy())
  expect(sendButton()).toHaveProperty('disabled', true)
  await fill(user, t('payment.password'), 'wrong1')
  await send(user)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('transfer.wrong_payment_password')]))
  // The refused one is selected: what is typed replaces it.
  await waitFor(() => expect(document.activeElement).toBe(field(t('payment.password'))))
  await user.keyboard('right1')
  await send(user)
  await screen.findByText(t('transfer.moved'))
  const asked = server.asked('user/transaction')
  expect(asked.map(({ payment_password }) => payment_password)).toEqual([undefined, 'wrong1', 'right1'])
  expect(new Set(asked.map(({ request_id }) => request_id)).size).toBe(1)
})

test('[PASS-02] a passkey confirms in place of the payment password, over the same request', async () => {
  withPasskeys()
  server.once.refuses('user/transaction', 'transfer.needs_payment_password')
  server.answers('passkey/beginPoints', signOptions)
  server.answers('user/transaction', moved())
  const { user } = await open()
  await fillIn(user)
  await goOn(user)
  await send(user)
  await user.click(await screen.findByRole('button', { name: t('passkey.use') }))
  await screen.findByText(t('transfer.moved'))
  const [first, second] = server.asked('user/transaction')
  const [begun] = server.asked('passkey/beginPoints')
  expect(begun).toMatchObject({ call: 'user/transaction', id: first?.id, amount: first?.amount })
  expect([first?.request_id, second?.request_id]).toEqual([begun?.request, begun?.request])
  expect(second).toMatchObject({ passkey: signed })
})

test('[CASH-12] [TRF-11] what a wallet cannot give goes no further, on either side', async () => {
  const offers = [offer(TransferKind.send, { most: '500.0000' }), offer(TransferKind.receive, { most: '100.0000' })]
  const { user } = await open(memberView({ offers }))
  const isOpen = () => !button(t('action.next')).hasAttribute('disabled')
  await fillIn(user, '500.0001')
  expect(await screen.findByText(t('points.at_most', { amount: '500.00' }))).toBeTruthy()
  expect(isOpen()).toBe(false)
  await fillIn(user, '500')
  expect(isOpen()).toBe(true)
  await choose(user, 'receive')
  expect(screen.getByText(t('points.at_most', { amount: '100.00' }))).toBeTruthy()
  expect(isOpen()).toBe(false)
})
