import { expect, test } from 'vitest'
import { makeSlots } from './slots.ts'

test('a row keeps its place, and one that comes takes that of one that has gone', () => {
  const places = makeSlots()
  expect(places(['a', 'b', 'c'])).toEqual([0, 1, 2])
  expect(places(['b', 'c', 'd'])).toEqual([1, 2, 0])
  expect(places(['x', 'c', 'y', 'z', 'w'])).toEqual([1, 2, 0, 3, 4])
  expect(places(['w', 'q'])).toEqual([4, 1])
  const all = places(['q', 'r', 's', 'w'])
  expect(new Set(all).size).toBe(4)
  expect(places([])).toEqual([])
})
