import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { MessageType, TransferStatus } from '@tallyroom/contract/codes'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { pointsMessage } from '../../../testing/message-fixtures.ts'
import { button, renderLight } from '../../../testing/render.tsx'
import { protection } from '../../../ui/overlay/protection.ts'
import { rooms } from '../../model/chat-session.ts'
import { PointsCard } from './points-card.tsx'

let restore = () => {}
afterEach(() => restore())
beforeEach(() => {
  const spies = [
    vi.spyOn(rooms, 'summary').mockReturnValue(roomSummary()),
    vi.spyOn(rooms, 'sync').mockResolvedValue(undefined),
  ]
  restore = () => spies.forEach((spy) => spy.mockRestore())
})

const card = (transaction_status: TransferStatus) => (
  <PointsCard
    message={pointsMessage({ type: MessageType.envelope, transaction_status })}
    code="a"
    face="member"
    author=""
    last={false}
    delivery="sent"
  />
)

test('[ENV-06] after an answer by keyboard the focus is on the card, not at the top of the page', async () => {
  server.answers('envelope/answer', {
    transaction_id: '7b0f6f0e-0000-4000-8000-000000000001',
    status: TransferStatus.rejected,
    balance: '470.0000',
  })
  const { user, rerender } = renderLight(card(TransferStatus.pending))
  button(t('points.reject')).focus()
  await user.keyboard('{Enter}{Enter}')
  rerender(card(TransferStatus.rejected))
  await waitFor(() => expect(screen.queryByText(t('points.reject'))).toBeNull())
  await waitFor(() => expect(document.activeElement?.tagName).toBe('ARTICLE'))
})

test('[ENV-06] rejecting takes a second press, which a double click is not; accepting takes one', async () => {
  const before = protection.ms
  protection.ms = 500
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { unmount } = renderLight(card(TransferStatus.pending))
  const question = t('points.really_reject', { amount: '30.00' })
  const press = (name: string) => fireEvent.click(button(name))
  press(t('points.reject'))
  press(question)
  expect(server.asked('envelope/answer')).toHaveLength(0)
  // Left alone, it is the first question again.
  act(() => void vi.advanceTimersByTime(8000))
  press(t('points.reject'))
  fireEvent.blur(button(question))
  press(t('points.reject'))
  act(() => void vi.advanceTimersByTime(600))
  vi.useRealTimers()
  server.answers('envelope/answer', { transaction_id: 'x', status: TransferStatus.rejected, balance: '470.0000' })
  press(question)
  await waitFor(() => expect(server.asked('envelope/answer')).toMatchObject([{ accept: false }]))
  unmount()
  renderLight(card(TransferStatus.pending))
  press(t('points.accept'))
  await waitFor(() => expect(server.asked('envelope/answer')).toMatchObject([{ accept: false }, { accept: true }]))
  protection.ms = before
})

test('[ENV-06] an envelope that ends by itself takes the focus from nobody', async () => {
  const { rerender } = renderLight(card(TransferStatus.pending))
  rerender(card(TransferStatus.expired))
  await waitFor(() => expect(screen.queryByText(t('points.reject'))).toBeNull())
  expect(document.activeElement).toBe(document.body)
})
