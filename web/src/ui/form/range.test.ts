import { expect, test } from 'vitest'
import { HOURS_24, isBackward, lastRange, rangeToSend, stillOpen } from './range.ts'

const now = Date.parse('2026-03-09T08:07:06Z')

test('[HIST-02] a form covers the last seven days when it says nothing else', () => {
  expect(lastRange(undefined, now)).toEqual({ start: '2026-03-02 08:08', end: '2026-03-09 08:08' })
  expect(lastRange(HOURS_24, now)).toEqual({ start: '2026-03-08 08:08', end: '2026-03-09 08:08' })
})

test('[HIST-02] times go as YYYY-MM-DD HH:mm:00', () => {
  expect(rangeToSend(lastRange(undefined, now))).toEqual({
    start_time: '2026-03-02 08:08:00',
    end_time: '2026-03-09 08:08:00',
  })
})

test('a range that ends before it begins is seen', () => {
  expect(isBackward({ start: '2026-03-02 08:08', end: '2026-03-02 08:07' })).toBe(true)
  expect(isBackward(lastRange(HOURS_24, now))).toBe(false)
})

test('[HIST-01] an end that nobody chose goes on: what happens after it is found', () => {
  expect(stillOpen({ start: '2026-12-30 08:08', end: '2026-12-31 08:08' })).toBe('2027-01-01 08:08:00')
})
