import type { RoomSummary } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { serverNow } from '../../../lib/clock.ts'
import { neighbour, nextTwo, waitingRooms } from './neighbour.ts'

const list = [1, 2, 3, 4].map((room_id) => ({ room_id, message_read: room_id === 2 ? 0 : 1 }) as RoomSummary)
const isNew = (room: RoomSummary) => room.message_read === 0

test('the shortcuts follow the shown list and wrap around its end', () => {
  const to = (current: string | undefined, step: 1 | -1) => neighbour(list, current, step)?.room_id
  expect([to(undefined, 1), to('1', 1), to('4', 1)]).toEqual([1, 2, 1])
  expect([to(undefined, -1), to('1', -1), to('3', -1)]).toEqual([4, 4, 2])
  expect(neighbour([], '1', 1)).toBeUndefined()
})

test('[CONV-04] “next” leads to the longest waiting room: not to the open one, and to a colleague’s last, once it is overdue', () => {
  const now = serverNow()
  /** `minutes`: how long the member has waited. */
  const room = (room_id: number, minutes: number | null, owner_id: number | null = null) => {
    const waiting_since = minutes === null ? null : new Date(now - minutes * 60_000).toISOString()
    return { room_id, owner_id, waiting_since } as RoomSummary
  }
  // The owner of room 4 may be away.
  const some = [room(1, 1), room(2, null), room(3, 3), room(4, 5.1, 99), room(5, 2), room(6, 4.5, 98)]
  const from = (open: number) => waitingRooms(some, ({ room_id }) => room_id === open).map(({ room_id }) => room_id)
  expect([from(2), from(3), from(4)]).toEqual([
    [3, 5, 1, 4],
    [5, 1, 4],
    [3, 5, 1],
  ])
})

test('[CONV-01] the next two matching rooms are prefetched, in the list’s order and around its end', () => {
  const some = [1, 2, 3, 4, 5].map((room_id) => ({ room_id, code: `r${room_id}`, message_read: room_id === 2 ? 1 : 0 }))
  const ahead = (code: string) => nextTwo(some as RoomSummary[], code, isNew).map(({ room_id }) => room_id)
  expect([ahead('r1'), ahead('r4'), ahead('none')]).toEqual([
    [3, 4],
    [5, 1],
    [1, 3],
  ])
})
