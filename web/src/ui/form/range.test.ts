import { expect, test } from 'vitest'
import {
  daysOfPeriod,
  HOURS_24,
  isBackward,
  lastRange,
  openEnd,
  periodOf,
  presets,
  rangeOfPeriod,
  rangeToSend,
} from './range.ts'

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

test('[FIND-02] today, yesterday, seven days and the month are whole days, also over the end of a month', () => {
  const at = Date.parse('2026-03-01T08:00:00Z')
  const ranges = presets.map((preset) => rangeOfPeriod(preset, at))
  expect(ranges.map((range) => `${range?.start} ${range?.end}`)).toEqual([
    '2026-03-01 00:00 2026-03-02 00:00',
    '2026-02-28 00:00 2026-03-01 00:00',
    '2026-02-23 00:00 2026-03-02 00:00',
    '2026-03-01 00:00 2026-03-02 00:00',
  ])
})

test('[FIND-02] a period of the address is read back, and text that is none is not', () => {
  const days = { start: '2026-02-27', end: '2026-02-28' }
  expect(daysOfPeriod(periodOf(days))).toEqual(days)
  expect(rangeOfPeriod(periodOf(days))).toEqual({ start: '2026-02-27 00:00', end: '2026-03-01 00:00' })
  const minutes = { start: '2026-02-27 08:00', end: '2026-02-28 09:30' }
  expect(rangeOfPeriod(periodOf(minutes))).toEqual(minutes)
  expect(daysOfPeriod(periodOf(minutes))).toBeUndefined()
  for (const text of ['', 'tomorrow', '2026-02-27', '2026-99-01..2026-99-02', '..', '1..2'])
    expect(rangeOfPeriod(text)).toBeUndefined()
})
