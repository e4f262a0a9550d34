import { afterEach, expect, test } from 'vitest'
import { setTimeZone, showMoment, timeZone } from './time.ts'

const before = timeZone()
afterEach(() => setTimeZone(before))

test('a moment is shown in the time zone of the platform', () => {
  setTimeZone('Asia/Taipei')
  expect(showMoment('2026-11-22T18:30:00.000Z')).toBe('2026-11-23 02:30:00')
  setTimeZone('America/New_York')
  expect(showMoment('2026-11-01T05:59:59.000Z')).toBe('2026-11-01 01:59:59')
  expect(showMoment('2026-11-01T06:00:00.000Z')).toBe('2026-11-01 01:00:00')
})

test('a time that the server has written in the zone of the platform is not shifted once more', () => {
  for (const zone of ['Asia/Taipei', 'America/New_York', 'Pacific/Kiritimati']) {
    setTimeZone(zone)
    expect(showMoment('2026-11-22 18:30:00')).toBe('2026-11-22 18:30:00')
  }
})
