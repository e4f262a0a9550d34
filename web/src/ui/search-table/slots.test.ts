import { expect, test } from 'vitest'
import { makeSlots } from './slots.ts'

test('a row keeps its slot, and a new row reuses the slot of a removed one', () => {
  const slotsOf = makeSlots()
  expect(slotsOf(['a', 'b', 'c'])).toEqual([0, 1, 2])
  expect(slotsOf(['b', 'c', 'd'])).toEqual([1, 2, 0])
  expect(slotsOf(['x', 'c', 'y', 'z', 'w'])).toEqual([1, 2, 0, 3, 4])
  expect(slotsOf(['w', 'q'])).toEqual([4, 1])
  const all = slotsOf(['q', 'r', 's', 'w'])
  expect(new Set(all).size).toBe(4)
  expect(slotsOf([])).toEqual([])
})
