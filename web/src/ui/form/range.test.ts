import { expect, test } from 'vitest'
import { dayPresets, daysOfRange, HOURS_24, isBackward, lastRange, rangeOfDays, rangeToSend, openEnd } from './range.ts'

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

test('today, yesterday, seven days and the month are whole days, also over the end of a month', () => {
  const ranges = dayPresets(Date.parse('2026-03-01T08:00:00Z')).map(({ days }) => rangeOfDays(days))
  expect(ranges.map(({ start, end }) => `${start} ${end}`)).toEqual([
    '2026-03-01 00:00 2026-03-02 00:00',
    '2026-02-28 00:00 2026-03-01 00:00',
    '2026-02-23 00:00 2026-03-02 00:00',
    '2026-03-01 00:00 2026-03-02 00:00',
  ])
  for (const { days } of dayPresets()) expect(daysOfRange(rangeOfDays(days))).toEqual(days)
})
