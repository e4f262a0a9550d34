import { screen, waitFor } from '@testing-library/react'
import { WalletKind } from '@tallyroom/contract/codes'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { watchConnection } from '../../api/connection.ts'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { accountRow, moved, ownAccount } from '../../testing/fixtures.ts'
import { signed, signOptions, withPasskeys } from '../../testing/passkeys.ts'
import { alerts, asksToStay, button, field, fill, goOnline, renderOffice } from '../../testing/render.tsx'
import { protection } from '../../ui/overlay/protection.ts'
import { DepositDialog, TransferDialog } from './dialogs.tsx'

const onClose = vi.fn<() => void>()
beforeEach(() => {
  onClose.mockClear()
  server.answers('user/view', ownAccount())
})

const openTransfer = (row = accountRow()) => renderOffice(<TransferDialog row={row} onClose={onClose} />)
type User = Awaited<ReturnType<typeof openTransfer>>['user']
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
  const { user } = await openTransfer()
  await fillIn(user, '30.1234')
  await goOn(user)
  const lines = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  const [was, is] = [t('history.balance_before'), t('history.balance')]
  const wallets = [`${was} 500.00`, `${is} → 469.8766`, `${was} 100.00`, `${is} → 130.1234`]
  expect(lines).toEqual([...wallets, 'bonus'])
  expect(server.asked('user/transaction')).toEqual([])
  await send(user, '30.1234')
  expect(await screen.findByText(t('transfer.moved'))).toBeTruthy()
  expect(server.asked('user/transaction')).toEqual([
    { request_id: expect.any(String), id: 20, amount: '30.1234', remark: 'bonus', type: WalletKind.main },
  ])
})

test('[TRF-07] a press that comes too soon to have read the confirmation sends nothing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  protection.ms = 500
  onTestFinished(() => {
    protection.ms = 0
  })
  server.answers('user/transaction', moved())
  const { user } = await openTransfer()
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
  const { user } = await openTransfer()
  await goOn(user)
  expect(alerts()).toEqual([t('transfer.amount_needed'), t('field.needed')])
  expect(screen.queryByText(t('transfer.confirm_title'))).toBeNull()
})

test('[TRF-01] [TRF-02] [TEXT-01] a minus takes points back in a transfer, and is no amount in a deposit', async () => {
  server.answers('user/transaction', moved())
  const transfer = await openTransfer()
  await fillIn(transfer.user, '-5')
  await goOn(transfer.user)
  await send(transfer.user, '5.00', 'take')
  await screen.findByText(t('transfer.moved'))
  expect(server.asked('user/transaction')[0]).toMatchObject({ amount: '-5' })
  transfer.unmount()
  const { user } = await renderOffice(<DepositDialog row={accountRow()} onClose={onClose} />)
  await fillIn(user, '')
  await user.type(field(t('transfer.amount')), '-5.5')
  expect(alerts()).toEqual([t('amount.no_minus')])
  await goOn(user)
  expect(alerts()).toEqual([t('amount.no_minus')])
  expect(field(t('transfer.amount')).value).toBe('-5.5')
})

test.each([
  [0, 1],
  [1, 0],
] as const)(
  '[TRF-03] [TRF-04] with deduct_point_button_visible %i the game wallet takes a minus, or says why not',
  async (flag, tips) => {
    server.answers('user/view', ownAccount({ deduct_point_button_visible: flag }))
    const { user } = await openTransfer(accountRow({ is_multiple_wallet: 1 }))
    await user.click(screen.getByRole('radio', { name: new RegExp(t('wallet.game')) }))
    await waitFor(() => expect(screen.queryAllByText(t('transfer.game_wallet_tip'))).toHaveLength(tips))
    expect(screen.getByText(t(flag ? 'transfer.what' : 'deposit.what'))).toBeTruthy()
    await fillIn(user, '')
    await user.type(field(t('transfer.amount')), '-5')
    expect(field(t('transfer.amount')).value).toBe('-5')
    const why = tips ? [t('transfer.game_wallet_tip')] : []
    expect(alerts()).toEqual(why)
    await goOn(user)
    expect(alerts()).toEqual(why)
    // In the main wallet the same amount is right.
    if (flag) return
    expect(screen.getAllByText(t('transfer.game_wallet_tip'))).toHaveLength(1)
    await user.click(screen.getByRole('radio', { name: new RegExp(t('wallet.main')) }))
    expect(screen.getByText(t('transfer.what'))).toBeTruthy()
    await goOn(user)
    expect(sendButton('5.00', 'take')).toBeTruthy()
  },
)

test('[TRF-08] a refusal keeps the form with what was typed, and the next try is another request', async () => {
  server.once.refuses('user/transaction', 'transfer.not_enough')
  server.answers('user/transaction', moved())
  const { user } = await openTransfer()
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
  const { user } = await openTransfer()
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
  const { user } = await openTransfer()
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
    const { user } = await openTransfer()
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
  const { user } = await openTransfer()
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
  const { user } = await openTransfer()
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

const payer = { id: 10, name: 'Ann', available: '900.0000', unlimited: false }

test('[TRF-11] customer service reads no own balance, because it spends its group’s', async () => {
  server.answers('user/view', ownAccount({ payer }))
  const { user } = await openTransfer()
  await waitFor(() => expect(server.asked('user/view')).toHaveLength(1))
  await fillIn(user)
  await goOn(user)
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent?.trim())).toEqual([
    'Mia',
    t('transfer.remark'),
  ])
})

test('[CASH-12] [TRF-11] what the own wallet cannot give goes no further, except where only the server knows', async () => {
  const first = await openTransfer()
  await fillIn(first.user, '500.0001')
  expect(await screen.findByText(t('points.at_most', { amount: '500.00' }))).toBeTruthy()
  expect(button(t('action.next'))).toHaveProperty('disabled', true)
  await fillIn(first.user, '500')
  expect(button(t('action.next'))).toHaveProperty('disabled', false)
  // Taking back is for the server to decide: the row may be as old as the list.
  await fillIn(first.user, '-900')
  expect(button(t('action.next'))).toHaveProperty('disabled', false)
  first.unmount()
  server.answers('user/view', ownAccount({ payer }))
  const { user } = await openTransfer()
  await fillIn(user, '70000')
  expect(button(t('action.next'))).toHaveProperty('disabled', false)
})
