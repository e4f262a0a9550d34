import { afterEach, beforeEach, expect, test } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { server } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { startAttention } from './attention.ts'

const COLLEAGUE = 77
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 5000).toISOString()
const asked = (id: number, waiting_since: string | null, owner_id: number | null = null) =>
  roomSummary({ room_id: id, code: `r${id}`, waiting_since, owner_id, last_seq: 1, unanswered: 1, message_read: 0 })

let stop = () => {}
beforeEach(() => {
  document.title = 'Inbox · Tallyroom'
  stop = startAttention()
})
afterEach(() => {
  stop()
  rooms.clear()
})

test('[CONV-07] the window’s title has the longest wait that this user should end, with its word', async () => {
  const data = [asked(1, minutesAgo(1)), asked(2, minutesAgo(7)), asked(3, minutesAgo(30), COLLEAGUE)]
  server.answers('room/list', { data, cursor: '1' })
  await rooms.loadList(1)
  expect(document.title).toBe('(3) Overdue 7 min · Inbox · Tallyroom')
  // A page that sets its own title gets both back before it.
  document.title = 'Home · Tallyroom'
  await expect.poll(() => document.title).toBe('(3) Overdue 7 min · Home · Tallyroom')
})

test('[CONV-07] a short wait has no word, and the last answer clears the title', async () => {
  const room = asked(1, minutesAgo(0))
  server.answers('room/list', { data: [room], cursor: '1' })
  await rooms.loadList(1)
  expect(document.title).toBe('(1) < 1 min · Inbox · Tallyroom')
  rooms.receiveDesk({
    code: 'r1',
    room: { ...room, desk_version: 2, waiting_since: null, last_seq: 2, unanswered: 0 },
    asides: [],
  })
  expect(document.title).toBe('Inbox · Tallyroom')
})
