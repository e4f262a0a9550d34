import type { RoomSummary } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { keepOrder } from './steady-order.ts'

const rooms = (codes: string, name = 'before') => codes.split('').map((code) => ({ code, name })) as RoomSummary[]
const codes = (list: readonly RoomSummary[]) => list.map(({ code }) => code).join('')
const ordered = (before: string, now: string, fitting = now) =>
  keepOrder(rooms(before), rooms(now, 'now'), rooms(fitting, 'now'))

test('[CONV-08] rows stay in place and show the newest data', () => {
  const { drawn, moves } = ordered('abcd', 'cabd')
  expect(codes(drawn)).toBe('abcd')
  expect(drawn.map(({ name }) => name)).toEqual(['now', 'now', 'now', 'now'])
  expect(moves).toBe(1)
})

test.each([
  ['nothing', 'abcd', 'abcd', 'abcd', 0],
  ['the last to the top', 'abcd', 'dabc', 'dabc', 1],
  ['the first to the end', 'abcd', 'bcda', 'bcda', 1],
  ['two to the top', 'abcd', 'dcab', 'dcab', 2],
  ['a new one at the top', 'abcd', 'xabcd', 'xabcd', 1],
  ['one that is gone', 'abcd', 'acd', 'acd', 1],
  ['one that no longer fits the filter', 'abcd', 'abcd', 'acd', 1],
  ['all of it', 'abcd', 'xdab', 'xda', 4],
])('[CONV-08] changes are counted as rows added, moved or removed: %s', (_, before, now, fitting, moves) => {
  expect(ordered(before, now, fitting).moves).toBe(moves)
})

test('[CONV-08] a room that left the list leaves an empty row, one that no longer fits the filter keeps its row', () => {
  const { drawn, gone } = ordered('abcd', 'abd', 'ad')
  expect(codes(drawn)).toBe('abcd')
  expect([...gone]).toEqual(['c'])
})

test('[CONV-08] the groups stay as they were when the order was held, also when a room is answered', () => {
  const room = (code: string, waiting_since: string | null) => ({ code, waiting_since }) as RoomSummary
  const before = [room('a', 'x'), room('b', 'y'), room('c', null)]
  const now = [room('a', null), room('b', 'y'), room('c', null)]
  expect(keepOrder(before, now, now).waiting).toBe(2)
})
