import type { RoomSummary } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { byWaitingTime, filterBy } from './filter.ts'

const room = (name: string, waiting_since: string | null, other: Partial<RoomSummary> = {}) =>
  ({ name, username: name, room_id: 1, waiting_since, message_read: 1, owner_id: null, ...other }) as RoomSummary

test('the room that waits longest is first; rooms that do not wait are last, newest message first', () => {
  const list = [
    room('quiet', null, { message_time: '1' }),
    room('late', '2026-01-01T10:05:00Z'),
    room('early', '2026-01-01T10:00:00Z'),
    room('newer', null, { message_time: '2' }),
  ]
  expect(list.sort(byWaitingTime).map(({ name }) => name)).toEqual(['early', 'late', 'newer', 'quiet'])
})

test('[TEXT-02] a name is found in every form of its letters', () => {
  const all = { text: '', unread: false, waiting: false, mine: false, snoozed: false, queue: false }
  for (const name of ['Nguyễn', 'Nguyễn'.normalize('NFD'), 'ＮＧＵＹỄＮ', '\u202aNguyễn\u202c'])
    for (const text of ['nguyen', 'Nguyễn', 'Nguyễn'.normalize('NFD'), 'ｎｇｕ'])
      expect(filterBy({ ...all, text })(room(name, null))).toBe(true)
})

test('a room must match every part of the filter', () => {
  const all = { text: '', unread: false, waiting: false, mine: false, snoozed: false, queue: false }
  const ann = room('Ann', '2026-01-01T10:00:00Z', { message_read: 0 })
  expect(filterBy({ ...all, text: ' aN', unread: true, waiting: true })(ann)).toBe(true)
  for (const other of [{ text: 'x' }, { mine: true }]) expect(filterBy({ ...all, ...other })(ann)).toBe(false)
  expect(filterBy({ ...all, unread: true })({ ...ann, message_read: 1 })).toBe(false)
  expect(filterBy({ ...all, waiting: true })({ ...ann, waiting_since: null })).toBe(false)
})

test('[DESK-07] a snoozed room is in its own view, and is found by name; hidden rooms keep theirs', () => {
  const all = { text: '', unread: false, waiting: false, mine: false, snoozed: false, queue: false }
  const until = '2026-01-01T10:00:00Z'
  const ann = room('Ann', until, { snoozed_until: until, status: 1 })
  for (const view of [all, { ...all, waiting: true }]) expect(filterBy(view)(ann)).toBe(false)
  for (const view of [
    { ...all, snoozed: true },
    { ...all, text: 'ann' },
  ])
    expect(filterBy(view)(ann)).toBe(true)
  expect(filterBy({ ...all, snoozed: true })(room('Ben', until, { status: 1 }))).toBe(false)
  expect(filterBy(all)({ ...ann, status: 2 })).toBe(true)
})

test('[DESK-08] the queue has who waits and is nobody’s', () => {
  const all = { text: '', unread: false, waiting: false, mine: false, snoozed: false, queue: true }
  const since = '2026-01-01T10:00:00Z'
  expect(filterBy(all)(room('Ann', since))).toBe(true)
  expect(filterBy(all)(room('Ann', since, { owner_id: 3 }))).toBe(false)
  expect(filterBy(all)(room('Ann', null))).toBe(false)
})
