import { expect, test } from 'vitest'
import { APPROVAL_WAIT, CASH_WAIT, limitsOf, loudestOf, waitOf } from './wait.ts'

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

test('[CONV-07] a request and an approval have their own pace, and only the three longest waits of a list are loud', () => {
  const at = (minutes: number, limits: typeof CASH_WAIT) => waitOf(minutes * 60_000, limits)
  expect([9, 10, 29, 30].map((minutes) => at(minutes, CASH_WAIT))).toEqual(['waiting', 'late', 'late', 'overdue'])
  // An approval ends by itself after a day: five minutes are not late.
  expect([5, 59, 60, 240].map((minutes) => at(minutes, APPROVAL_WAIT))).toEqual([
    'waiting',
    'waiting',
    'late',
    'overdue',
  ])
  expect([...loudestOf(['10:04', '10:01', '10:03', '10:02'])]).toEqual(['10:01', '10:02', '10:03'])
})
