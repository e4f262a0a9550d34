import { expect, test } from 'vitest'
import { limitsOf, waitOf } from './wait.ts'

test('[CONV-07] a wait is late and overdue from the group’s minutes on', () => {
  const at = (minutes: number, limits = limitsOf(undefined)) => waitOf(minutes * 60_000, limits)
  expect([0, 1.99, 2, 4.99, 5, 600].map((minutes) => at(minutes))).toEqual([
    'waiting',
    'waiting',
    'late',
    'late',
    'overdue',
    'overdue',
  ])
  expect(at(9, { late: 10, overdue: 30 })).toBe('waiting')
})
