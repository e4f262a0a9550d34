import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { RoomAddress } from '../page/address.ts'
import { RoomList } from './room-list.tsx'
import { clearSavedFilter } from './filter.ts'

// jsdom measures nothing: show all rows.
vi.mock('./rows.tsx', () => ({
  Rows: ({ rooms: rows }: { rooms: { name: string }[] }) => rows.map(({ name }) => <p key={name}>row {name}</p>),
}))
afterEach(() => {
  rooms.clear()
  clearSavedFilter()
})

const shown = () => screen.queryAllByText(/^row /).map(({ textContent }) => textContent)

test('the open conversation stays in the view after its answer, and the view says that nobody waits', async () => {
  server.answers('user/view', ownAccount())
  const waiting_since = '2026-11-22T10:00:00.000Z'
  const ann = roomSummary({ room_id: 1, code: 'a', name: 'Ann', waiting_since })
  const data = [ann, roomSummary({ room_id: 2, code: 'b', name: 'Ben' })]
  server.answers('room/list', { data, cursor: '1' })
  const { user } = await renderOffice(
    <RoomAddress value={{ path: '/chat/messaging/1/20/a', room_id: '1' }}>
      <RoomList />
    </RoomAddress>,
  )
  await user.click(await screen.findByRole('button', { name: `${t('chat.only_waiting')} 1` }))
  expect(shown()).toEqual(['row Ann'])
  act(() => rooms.receiveDesk({ code: 'a', room: { ...ann, desk_version: 2, waiting_since: null }, asides: [] }))
  expect(shown()).toEqual(['row Ann'])
  expect(screen.getByText(t('chat.caught_up'))).toBeTruthy()
})

test('a search without a conversation of that name says so in one line, above what else was found', async () => {
  server.answers('user/view', ownAccount())
  server.answers('room/list', { data: [roomSummary()], cursor: '1' })
  server.refuses('friend/list', 'access.denied')
  server.refuses('search/notes', 'access.denied')
  server.refuses('search/messages', 'access.denied')
  const { user } = await renderOffice(<RoomList />)
  await user.type(await screen.findByRole('searchbox'), 'slip')
  expect(await screen.findByText(t('chat.none_named', { text: 'slip' }))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('chat.show_all') })).toBeNull()
})
