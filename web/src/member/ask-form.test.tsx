import type { Answer } from '@tallyroom/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../i18n/i18n.ts'
import { server, wordsOf } from '../testing/fake-server.ts'
import { alerts, button, renderLight } from '../testing/render.tsx'
import { AskForPoints } from './ask-form.tsx'

vi.mock('./session.ts', () => ({ refreshMe: () => Promise.resolve() }))

const account = { id: 3, bank: 'North', account_no: '****5678', account_name: 'Ann Lee' }
const view = (changes: Partial<Answer<'cash/view'>> = {}): Answer<'cash/view'> => ({
  enabled: 1,
  needs_account: 1,
  balance: '280.5000',
  turnover_due: '0.0000',
  accounts: [account, { ...account, id: 4, account_no: '****9027' }],
  last: { direction: 'out', account_id: 4 },
  open: null,
  ...changes,
})
const onAsked = vi.fn<() => void>()
beforeEach(() => onAsked.mockClear())
const open = async (changes: Partial<Answer<'cash/view'>> = {}) => {
  server.answers('cash/view', view(changes))
  const drawn = renderLight(<AskForPoints onAsked={onAsked} />)
  await waitFor(() => expect(server.asked('cash/view')).toHaveLength(1))
  return drawn
}

test('[CASH-01] with the sheet open an amount and “Ask” are enough: direction and account are those of the last time', async () => {
  server.answers('cash/ask', { id: 1, state: 'asked', balance: '80.5000' })
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: '200' }))
  expect(screen.getByText(t('cash.held_note', { amount: '200.00', rest: '80.50' }))).toBeTruthy()
  await user.click(button(t('cash.ask_for', { amount: '200.00' })))
  await waitFor(() => expect(onAsked).toHaveBeenCalledOnce())
  expect(server.asked('cash/ask')).toEqual([
    { direction: 'out', amount: '200', account_id: 4, request_id: expect.any(String) },
  ])
})

test('[CASH-01] without the setting, and with an open request, there is no form', async () => {
  await open({ enabled: 0 })
  expect(screen.queryByText(t('cash.title'))).toBeNull()
  await open({ open: { id: 1, state: 'asked' } })
  expect(await screen.findByText(t('cash.open_note'))).toBeTruthy()
  expect(screen.queryByText(t('cash.title'))).toBeNull()
})

test('[CASH-01] what would be refused is said before: turnover due, no account', async () => {
  const { unmount } = await open({ turnover_due: '12.0000' })
  expect(await screen.findByText(t('cash.due_note', { amount: '12.00' }))).toBeTruthy()
  expect(button(t('cash.title'))).toHaveProperty('disabled', true)
  unmount()
  server.answers('cash/view', view({ accounts: [] }))
  renderLight(<AskForPoints onAsked={onAsked} />)
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
