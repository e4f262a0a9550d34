import { TransferStatus } from '@tallyroom/contract/codes'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { ownAccount } from '../../testing/fixtures.ts'
import { alerts, asksToStay, button, field, fill, renderLight } from '../../testing/render.tsx'
import { ToGame } from './to-game.tsx'

const onMoved = vi.fn<() => void>()
const moved = { transaction_id: 'x', status: TransferStatus.success, balance: '7.0000', game_wallet: '3.0000' }
const sent = () => server.asked('wallet/toGame').map(({ amount, request_id }) => `${amount} ${request_id}`)

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onMoved.mockClear()
  server.answers('wallet/toGame', moved)
  server.answers('user/view', ownAccount())
})
afterEach(() => void vi.useRealTimers())

const openAndMove = async (amount: string) => {
  const drawn = renderLight(<ToGame onMoved={onMoved} />)
  await fill(drawn.user, t('member.to_game'), amount)
  await drawn.user.click(button(t('transfer.send')))
  return drawn
}

test('[TRF-10] while the outcome of a move is unknown no other amount can be moved, and the same is asked again', async () => {
  server.once.losesAnswer('wallet/toGame')
  const { user } = await openAndMove('3')
  expect(await screen.findByText(t('points.checking'))).toBeTruthy()
  await user.type(field(t('member.to_game')), '4')
  await user.click(button(t('transfer.send')))
  expect(field(t('member.to_game')).value).toBe('3')
  expect(asksToStay()).toBe(true)
  await vi.advanceTimersByTimeAsync(1000)
  await screen.findByText(t('member.moved_to_game', { amount: '3.00' }))
  expect(sent()).toHaveLength(2)
  expect(new Set(sent()).size).toBe(1)
  expect(onMoved).toHaveBeenCalledOnce()
  expect(asksToStay()).toBe(false)
  await fill(user, t('member.to_game'), '4')
  await user.click(button(t('transfer.send')))
  await screen.findByText(t('member.moved_to_game', { amount: '4.00' }))
  expect(new Set(sent()).size).toBe(2)
})

test('[TRF-10] a sheet that was closed meanwhile settles the same move when it is opened again', async () => {
  for (let times = 0; times < 2; times++) server.once.losesAnswer('wallet/toGame')
  const { unmount } = await openAndMove('3')
  await screen.findByText(t('points.checking'))
  unmount()
  renderLight(<ToGame onMoved={onMoved} />)
  expect(field(t('member.to_game')).value).toBe('3')
  expect(screen.getByText(t('points.checking'))).toBeTruthy()
  await vi.advanceTimersByTimeAsync(3000)
  await screen.findByText(t('member.moved_to_game', { amount: '3.00' }))
  expect(new Set(sent()).size).toBe(1)
})

test('[TRF-10] a refusal is shown, and the next try is another move', async () => {
  server.once.refuses('wallet/toGame', 'transfer.not_enough')
  const { user } = await openAndMove('3')
  await waitFor(() => expect(alerts()).toEqual([wordsOf('transfer.not_enough')]))
  await user.click(button(t('transfer.send')))
  await screen.findByText(t('member.moved_to_game', { amount: '3.00' }))
  expect(new Set(sent()).size).toBe(2)
})
