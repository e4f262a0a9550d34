import { expect, test } from 'vitest'
import { HOURS_24, isBackward, lastRange, rangeToSend, openEnd } from './range.ts'

const now = Date.parse('2026-03-09T08:07:06Z')

test('[HIST-02] the default range is the last seven days', () => {
  expect(lastRange(undefined, now)).toEqual({ start: '2026-03-02 08:08', end: '2026-03-09 08:08' })
  expect(lastRange(HOURS_24, now)).toEqual({ start: '2026-03-08 08:08', end: '2026-03-09 08:08' })
})

test('[HIST-02] times are sent as YYYY-MM-DD HH:mm:00', () => {
  expect(rangeToSend(lastRange(undefined, now))).toEqual({
    start_time: '2026-03-02 08:08:00',
    end_time: '2026-03-09 08:08:00',
  })
})

test('detects a range that ends before it starts', () => {
  expect(isBackward({ start: '2026-03-02 08:08', end: '2026-03-02 08:07' })).toBe(true)
  expect(isBackward(lastRange(HOURS_24, now))).toBe(false)
})

test('[HIST-01] an end that the user has not chosen stays open: later entries are found too', () => {
  expect(openEnd({ start: '2026-12-30 08:08', end: '2026-12-31 08:08' })).toBe('2027-01-01 08:08:00')
})
