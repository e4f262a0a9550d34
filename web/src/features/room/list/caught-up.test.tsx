import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { RoomAddress } from '../state/address.ts'
import { RoomList } from './room-list.tsx'
import { clearSavedFilter } from '../state/filter.ts'

let restore = () => {}
beforeEach(() => {
  // The test environment measures nothing, and a list without a height shows no rows.
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  restore = () => height.mockRestore()
})
afterEach(() => {
  // A page that is still there would load the list again, for the next file.
  cleanup()
  rooms.clear()
  clearSavedFilter()
  restore()
})

const shown = () => [...document.querySelectorAll('.room-rows .room-name')].map(({ textContent }) => textContent)

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
  expect(shown()).toEqual(['Ann'])
  act(() => rooms.receiveDesk({ code: 'a', room: { ...ann, desk_version: 2, waiting_since: null }, asides: [] }))
  expect(shown()).toEqual(['Ann'])
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
