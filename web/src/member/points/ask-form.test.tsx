import type { Answer } from '@tallyroom/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { watchConnection } from '../../api/connection.ts'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { ownAccount } from '../../testing/fixtures.ts'
import { alerts, button, goOnline, renderLight } from '../../testing/render.tsx'
import { AskForPoints, useAsking } from './ask-form.tsx'

const account = { id: 3, bank: 'North', account_no: '****5678', account_name: 'Ann Lee' }
const view = (fields: Partial<Answer<'cash/view'>> = {}): Answer<'cash/view'> => ({
  enabled: 1,
  receiving: 0,
  pay_to: null,
  receiving_changed: null,
  needs_account: 1,
  balance: '280.5000',
  turnover_due: '0.0000',
  accounts: [account, { ...account, id: 4, account_no: '****9027' }],
  first_account: null,
  last: { direction: 'out', account_id: 4 },
  open: null,
  ...fields,
})
const onAsked = vi.fn<(what: string) => void>()
const Asking = () => <AskForPoints asking={useAsking()} onAsked={onAsked} />
beforeEach(() => onAsked.mockClear())
const open = async (fields: Partial<Answer<'cash/view'>> = {}) => {
  server.answers('cash/view', view(fields))
  server.answers('user/view', ownAccount())
  const drawn = renderLight(<Asking />)
  await waitFor(() => expect(server.asked('cash/view')).toHaveLength(1))
  return drawn
}

test('[CASH-01] with the sheet open an amount and “Ask” are enough: direction and account are those of the last time', async () => {
  server.answers('cash/ask', { id: 1, state: 'asked', balance: '80.5000' })
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: '200' }))
  expect(screen.getByText(t('cash.held_note', { amount: '200.00', rest: '80.50' }))).toBeTruthy()
  await user.click(button(t('cash.ask_for', { amount: '200.00' })))
  await waitFor(() => expect(onAsked).toHaveBeenCalledExactlyOnceWith('You asked for points out −200.00'))
  expect(server.asked('cash/ask')).toEqual([
    { direction: 'out', amount: '200', account_id: 4, request_id: expect.any(String) },
  ])
})

test('[CASH-01] above the balance the form says how much there is, and not that the amount is held', async () => {
  const { user } = await open()
  await user.type(await screen.findByLabelText(t('cash.amount')), '900')
  expect(alerts()).toEqual([t('cash.too_much', { amount: '280.50' })])
  expect(screen.queryByText(t('cash.held_note', { amount: '900.00', rest: '0.00' }))).toBeNull()
})

test('[CASH-01] what is wrong with the amount is the description of its field, which has the focus', async () => {
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: t('cash.title') }))
  const field = screen.getByLabelText(t('cash.amount'))
  expect(document.activeElement).toBe(field)
  const description = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
  expect([field.getAttribute('aria-invalid'), description()]).toEqual(['true', t('transfer.amount_needed')])
  await user.type(field, '900')
  expect(description()).toBe(t('cash.too_much', { amount: '280.50' }))
  await user.clear(field)
  expect(field.getAttribute('aria-invalid')).toBe('false')
  expect(alerts()).toEqual([])
})

test('[CASH-01] without the bank account that is needed nothing is said to be held', async () => {
  const { user } = await open({ accounts: [] })
  await user.click(await screen.findByRole('button', { name: '200' }))
  expect(screen.getByText(t('cash.no_account'))).toBeTruthy()
  expect(screen.queryByText(t('cash.held_note', { amount: '200.00', rest: '80.50' }))).toBeNull()
})

const asked = {
  id: 1,
  state: 'asked',
  direction: 'out',
  amount: '30.0000',
  asked_at: '2026-11-22T10:00:00.000Z',
} as const

test('[CASH-01] without a line the form says so before it is sent', async () => {
  const stop = watchConnection({ asks: false })
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: '200' }))
  const ask = button(t('cash.ask_for', { amount: '200.00' }))
  expect(ask).toHaveProperty('disabled', false)
  goOnline(false)
  expect(alerts()).toEqual([t('connection.points')])
  expect(ask).toHaveProperty('disabled', true)
  goOnline(true)
  expect(alerts()).toEqual([])
  expect(ask).toHaveProperty('disabled', false)
  stop()
  vi.restoreAllMocks()
})

test('[CASH-01] without the setting there is no form', async () => {
  await open({ enabled: 0 })
  expect(screen.queryByText(t('cash.title'))).toBeNull()
})

test('[CASH-01] an open request is shown in place of the form, and can be cancelled there until somebody takes it', async () => {
  server.answers('cash/withdraw', { id: 1, state: 'withdrawn' })
  const { user } = await open({ open: asked })
  expect(await screen.findByText(t('cash.your_request'))).toBeTruthy()
  expect(screen.getByText('−30.00')).toBeTruthy()
  expect(screen.queryByText(t('cash.title'))).toBeNull()
  server.answers('cash/view', view())
  await user.click(button(t('cash.withdraw')))
  expect(await screen.findByRole('heading', { name: t('cash.title') })).toBeTruthy()
  expect(server.asked('cash/withdraw')).toMatchObject([{ id: 1 }])
})

test('[CASH-01] a request that was taken meanwhile says so, and is no longer the member’s to cancel', async () => {
  const { user } = await open({ open: asked })
  await screen.findByText(t('cash.your_request'))
  server.refuses('cash/withdraw', 'cash.taken')
  server.answers('cash/view', view({ open: { ...asked, state: 'taken' } }))
  await user.click(button(t('cash.withdraw')))
  expect(await screen.findByText(t('cash.handled_note'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('cash.withdraw') })).toBeNull()
})

test('[CASH-01] what would be refused is said before: turnover due, no account', async () => {
  const { unmount } = await open({ turnover_due: '12.0000' })
  expect(await screen.findByText(t('cash.due_note', { amount: '12.00' }))).toBeTruthy()
  expect(button(t('cash.title'))).toHaveProperty('disabled', true)
  unmount()
  server.answers('cash/view', view({ accounts: [] }))
  renderLight(<Asking />)
  expect(await screen.findByText(t('cash.no_account'))).toBeTruthy()
  expect(button(t('cash.title'))).toHaveProperty('disabled', true)
})

test('[CASH-01] a lost answer is asked again as the same request, a refusal is shown', async () => {
  const { user } = await open()
  server.once.losesAnswer('cash/ask')
  await user.click(await screen.findByRole('button', { name: '100' }))
  const ask = () => user.click(button(t('cash.ask_for', { amount: '100.00' })))
  await ask()
  await waitFor(() => expect(alerts()).toHaveLength(1))
  server.refuses('cash/ask', 'cash.one_at_a_time')
  await ask()
  await waitFor(() => expect(alerts()).toEqual([wordsOf('cash.one_at_a_time')]))
  const [first, second] = server.asked('cash/ask')
  expect(first?.request_id).toBe(second?.request_id)
})

test('[CASH-01] a request whose answer got lost is shown before another amount can be asked for', async () => {
  const { user } = await open()
  server.once.losesAnswer('cash/ask')
  await user.click(await screen.findByRole('button', { name: '100' }))
  server.answers('cash/view', view({ open: asked }))
  await user.click(button(t('cash.ask_for', { amount: '100.00' })))
  expect(await screen.findByText(t('cash.your_request'))).toBeTruthy()
  expect(screen.queryByLabelText(t('cash.amount'))).toBeNull()
})

const payTo = { id: 5, bank: 'North', account_name: 'Tally House', account_no: '12345678', qr: '', amount: '100.0300' }
const paysIn = { receiving: 1, last: { direction: 'in', account_id: null } } as const

test('[CASH-08] amount, then pay exactly this to that account, then the slip: the request has the exact amount', async () => {
  server.answers('cash/payTo', { pay_to: payTo })
  server.answers('cash/ask', { id: 1, state: 'asked', balance: '280.5000' })
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined)
  const { user } = await open(paysIn)
  expect(screen.queryByText(t('cash.add_slip'))).toBeNull()
  await user.click(await screen.findByRole('button', { name: '100' }))
  await user.click(button(t('cash.where_to_pay')))
  expect(await screen.findByText('12345678')).toBeTruthy()
  expect(screen.getByText('100.03')).toBeTruthy()
  // A second Enter does not send what is not paid yet.
  expect(document.activeElement).toBe(screen.getByRole('region', { name: t('cash.pay_exactly') }))
  await user.click(button(t('cash.copy', { what: t('bank.account_no') })))
  await user.click(button(t('cash.copy', { what: t('cash.amount') })))
  expect(copied.mock.calls).toEqual([['12345678'], ['100.03']])
  expect(screen.getByRole('status').textContent).toBe(t('message.copied'))
  expect(screen.getByText(t('cash.add_slip'))).toBeTruthy()
  await user.click(button(t('cash.ask_for', { amount: '100.03' })))
  await waitFor(() => expect(onAsked).toHaveBeenCalledExactlyOnceWith('You asked for points in +100.03'))
  expect(server.asked('cash/payTo')).toEqual([{ amount: '100', request_id: expect.any(String) }])
  expect(server.asked('cash/ask')).toMatchObject([{ direction: 'in', amount: '100.0300' }])
})

test('[CASH-08] who comes back from the banking app sees the account again, and may choose another amount', async () => {
  const { user } = await open({ ...paysIn, pay_to: payTo })
  expect(await screen.findByText('12345678')).toBeTruthy()
  await user.click(button(t('action.back')))
  expect(screen.getByLabelText(t('cash.amount'))).toHaveProperty('value', '100.03')
  expect(button(t('cash.where_to_pay'))).toBeTruthy()
})

test('[CASH-08] an account that has changed is not to be paid; who has paid already sends the request', async () => {
  server.answers('cash/ask', { id: 1, state: 'asked', balance: '280.5000' })
  const changed = { pay_to: 'North 12345678 · Tally House', amount: '100.0300', offered_at: '2026-11-29T10:00:00.000Z' }
  const { user } = await open({ ...paysIn, receiving_changed: changed })
  await waitFor(() => expect(alerts().join()).toContain('North 12345678 · Tally House'))
  await user.click(button(t('cash.ask_for', { amount: '100.03' })))
  await waitFor(() => expect(server.asked('cash/ask')).toMatchObject([{ direction: 'in', amount: '100.0300' }]))
})

test('[CASH-08] when no account takes the amount the form says whom to ask, and can still send the request', async () => {
  server.answers('cash/payTo', { pay_to: null })
  const { user } = await open(paysIn)
  await user.click(await screen.findByRole('button', { name: '200' }))
  await user.click(button(t('cash.where_to_pay')))
  await waitFor(() => expect(alerts()).toEqual([t('cash.pay_none')]))
  expect(button(t('cash.ask_for', { amount: '200.00' }))).toBeTruthy()
})

test('[CASH-11] a member without a bank account enters the first one, and then asks for points out', async () => {
  const first_account = { banks: [{ id: 9, name: 'North' }], code: null }
  server.answers('bank/addOwn', null)
  const { user } = await open({ accounts: [], first_account, last: null })
  await user.click(await screen.findByText(t('cash.out')))
  await user.click(button(t('action.save')))
  expect(alerts()).toEqual([t('field.needed'), t('field.needed')])
  await user.type(screen.getByLabelText(t('bank.account_name')), 'Ann Lee')
  await user.type(screen.getByLabelText(t('bank.account_no')), '12345678')
  server.answers('cash/view', view({ accounts: [account], last: null }))
  await user.click(button(t('action.save')))
  expect(await screen.findByText(/North \*\*\*\*5678/)).toBeTruthy()
  expect(server.asked('bank/addOwn')).toEqual([
    { bank_id: 9, account_name: 'Ann Lee', account_no: '12345678', request_id: expect.any(String) },
  ])
})
