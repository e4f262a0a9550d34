import { RoomStatus } from '@tallyroom/contract/codes'
import { act, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { setVisibleRoom } from '../../../chat/model/tab-leader.ts'
import { server } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { message } from '../../../testing/message-fixtures.ts'
import { renderLight } from '../../../testing/render.tsx'
import { Notices } from '../../../ui/overlay/message.tsx'
import { readOutNews } from './read-out-news.ts'

const COLLEAGUE = 77
const names = ['Ann', 'Ben', 'Cho', 'Dao', 'Eva']
const list = names.map((name, n) => roomSummary({ room_id: n + 1, code: name, name, message_read: 0, unanswered: 1 }))

let stop = () => {}
beforeEach(async () => {
  server.answers('room/list', { data: list, cursor: '1' })
  await rooms.loadList(1)
  stop = readOutNews()
})
afterEach(() => {
  stop()
  setVisibleRoom('')
  rooms.clear()
})

/** A message of the member arrives in a room that `room` describes from then on. */
const arrives = (code: string, room: Partial<ReturnType<typeof roomSummary>> = {}, is_self = false) => {
  const {
    message_read: _m,
    read_seq: _r,
    marked_unread: _u,
    mark_version: _v,
    ...fields
  } = roomSummary({
    ...list.find((one) => one.code === code),
    version: 9,
    desk_version: 9,
    last_seq: 9,
    ...room,
  })
  const messages = [message({ seq: 9, version: 9, is_self })]
  rooms.receiveRoom({ code, since: 1, version: 9, reset: false, messages, room: fields })
}
/** @returns what was read out last: notices of another test may still be there */
const setUp = (arrive: () => void) => {
  const { container } = renderLight(<Notices />)
  act(arrive)
  return () => container.querySelector('.visually-hidden p:last-child')?.textContent
}

test('whose messages have arrived in other rooms is read out together', async () => {
  const said = setUp(() => {
    arrives('Ann')
    arrives('Ben')
  })
  await waitFor(() => expect(said()).toBe('New message from Ann, Ben'))
})

test('of many rooms only their number is read out', async () => {
  const said = setUp(() => names.forEach((name) => arrives(name)))
  await waitFor(() => expect(said()).toBe('5 unread conversations'))
})

test('the open room, hidden ones, those of a colleague and one’s own messages are not read out', async () => {
  setVisibleRoom('Ann')
  const said = setUp(() => {
    arrives('Ann')
    arrives('Ben', { status: RoomStatus.hidden })
    arrives('Cho', { owner_id: COLLEAGUE, owner_name: 'Lee' })
    arrives('Dao', {}, true)
    arrives('Eva')
  })
  await waitFor(() => expect(said()).toBe('New message from Eva'))
})
