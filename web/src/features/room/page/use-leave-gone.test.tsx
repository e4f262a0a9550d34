import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { drafts, rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { useLeaveGone } from './use-leave-gone.ts'

const Room = () => {
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
  const { router } = await renderOffice(<Room />, { path: '/chat/messaging/1/20/a' })
  server.refuses('room/enter', 'room.not_found')
  act(() => rooms.receiveGone({ codes: ['a'] }))
  expect(await screen.findByText(t('chat.gone'))).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/chat/messaging'))
})

test('[ROOM-01] an address with a wrong code says so and leads to the list, as one with a wrong number does', async () => {
  server.refuses('room/enter', 'room.not_found')
  const { router } = await renderOffice(<Room />, { path: '/chat/messaging/99999/1/a' })
  await act(async () => void (await rooms.openRoom({ code: 'a' })))
  expect(await screen.findByText(wordsOf('room.not_found'))).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/chat/messaging'))
})

test('[WIRE-04] a room that does not load for another reason stays, to be tried again', async () => {
  server.losesAnswer('room/enter')
  const { router } = await renderOffice(<Room />, { path: '/chat/messaging/1/20/a' })
  await act(async () => void (await rooms.openRoom({ code: 'a' })))
  expect(rooms.room('a')?.loading).toBe('failed')
  expect(router.state.location.pathname).toBe('/chat/messaging/1/20/a')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('[CONV-01] a wrong address stays while there are words in its box', async () => {
  drafts.keep('a', 'typed')
  server.refuses('room/enter', 'room.not_found')
  const { router } = await renderOffice(<Room />, { path: '/chat/messaging/99999/1/a' })
  await act(async () => void (await rooms.openRoom({ code: 'a' })))
  expect(rooms.room('a')?.loading).toBe('failed')
  expect(router.state.location.pathname).toBe('/chat/messaging/99999/1/a')
  expect(drafts.of('a')).toBe('typed')
})
