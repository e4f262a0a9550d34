import { act, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { drafts, rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { NOTICE_MS, useJustArrived, useLeaveGone } from './room.tsx'

const Left = () => {
  useLeaveGone('a')
  return null
}

afterEach(() => {
  rooms.clear()
  drafts.stop()
})

test('[TREE-03] an open conversation whose member was moved to another group says so and is left', async () => {
  server.answers('room/enter', { room: roomSummary({ code: 'a' }), messages: [], has_more: false, asides: [] })
  await rooms.openRoom({ code: 'a' })
  const { router } = await renderOffice(<Left />, { path: '/chat/messaging/1/20/a' })
  server.refuses('room/enter', 'room.not_found')
  act(() => rooms.receiveGone({ codes: ['a'] }))
  expect(await screen.findByText(t('chat.gone'))).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/chat/messaging'))
})

test('[ROOM-01] an address with a wrong code says so and leads to the list, as one with a wrong number does', async () => {
  server.refuses('room/enter', 'room.not_found')
  const { router } = await renderOffice(<Left />, { path: '/chat/messaging/99999/1/a' })
  await act(async () => void (await rooms.openRoom({ code: 'a' })))
  expect(await screen.findByText(wordsOf('room.not_found'))).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/chat/messaging'))
})

test('[WIRE-04] a room that does not load for another reason stays, to be tried again', async () => {
  server.losesAnswer('room/enter')
  const { router } = await renderOffice(<Left />, { path: '/chat/messaging/1/20/a' })
  await act(async () => void (await rooms.openRoom({ code: 'a' })))
  expect(rooms.room('a')?.loading).toBe('failed')
  expect(router.state.location.pathname).toBe('/chat/messaging/1/20/a')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('[CONV-01] a wrong address stays while there are words in its box', async () => {
  drafts.keep('a', 'typed')
  server.refuses('room/enter', 'room.not_found')
  const { router } = await renderOffice(<Left />, { path: '/chat/messaging/99999/1/a' })
  await act(async () => void (await rooms.openRoom({ code: 'a' })))
  expect(rooms.room('a')?.loading).toBe('failed')
  expect(router.state.location.pathname).toBe('/chat/messaging/99999/1/a')
  expect(drafts.of('a')).toBe('typed')
})

test('[CONV-04] [CONV-17] a message that came a moment before the answer is news; what the room opened with is not', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { result, rerender } = renderHook(({ seq }) => useJustArrived(seq), {
    initialProps: { seq: undefined as number | undefined },
  })
  rerender({ seq: 7 })
  expect(result.current()).toBe(false)
  rerender({ seq: 8 })
  expect(result.current()).toBe(true)
  vi.advanceTimersByTime(NOTICE_MS)
  expect(result.current()).toBe(false)
})
