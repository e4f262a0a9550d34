import type { RoomSummary } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { neighbour, nextTwo } from './neighbour.ts'

const list = [1, 2, 3, 4].map((room_id) => ({ room_id, message_read: room_id === 2 ? 0 : 1 }) as RoomSummary)
const isNew = (room: RoomSummary) => room.message_read === 0

test('the shortcuts follow the shown list, wrap around its end, and find unread rooms', () => {
  const to = (current: string | undefined, step: 1 | -1, fits?: typeof isNew) =>
    neighbour(list, current, step, fits)?.room_id
  expect([to(undefined, 1), to('1', 1), to('4', 1)]).toEqual([1, 2, 1])
  expect([to(undefined, -1), to('1', -1), to('3', -1)]).toEqual([4, 4, 2])
  expect([to('3', 1, isNew), to('2', 1, isNew), neighbour([], '1', 1)]).toEqual([2, undefined, undefined])
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
