import { expect, test } from 'vitest'
import { monthAfter, weeksOf } from './calendar-days.ts'

test('a month later is the same day, or the last one of a shorter month', () => {
  expect(monthAfter('2026-01-31', 1)).toBe('2026-02-28')
  expect(monthAfter('2024-02-29', 12)).toBe('2025-02-28')
  expect(monthAfter('2026-01-15', -1)).toBe('2025-12-15')
  expect(monthAfter('2026-12-31', 2)).toBe('2027-02-28')
})

test.each([
  [0, '2026-03-01', '2026-04-11'],
  [1, '2026-02-23', '2026-04-05'],
])('the weeks of March 2026, of which %i is the first day', (first, from, to) => {
  const weeks = weeksOf('2026-03-29', first)
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7])
  expect([weeks[0]?.[0], weeks[5]?.[6]]).toEqual([from, to])
})
