import { expect, test } from 'vitest'
import { zonedTime } from './zoned-time.ts'

test.each([
  ['UTC', '2026-11-25T16:00:00.000Z', '2026-11-25 16:00:00'],
  ['Asia/Taipei', '2026-11-25T15:59:59.999Z', '2026-11-25 23:59:59'],
  ['Asia/Taipei', '2026-11-25T16:00:00.000Z', '2026-11-26 00:00:00'],
  ['Asia/Kathmandu', '2026-11-25T18:15:00.000Z', '2026-11-26 00:00:00'],
])('[FIND-02] in %s %s is %s', (timeZone, moment, shown) => {
  expect(zonedTime(timeZone)(moment)).toBe(shown)
})
