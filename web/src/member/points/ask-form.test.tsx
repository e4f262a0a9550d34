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
  needs_account: 1,
  balance: '280.5000',
  turnover_due: '0.0000',
  accounts: [account, { ...account, id: 4, account_no: '****9027' }],
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
