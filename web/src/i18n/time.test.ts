import { afterEach, expect, onTestFinished, test } from 'vitest'
import { noteServerTime } from '../lib/clock.ts'
import { foreignZone, momentOf, setTimeZone, showMoment, timeZone } from './time.ts'

const before = timeZone()
afterEach(() => setTimeZone(before))

test('a moment is shown in the time zone of the platform', () => {
  setTimeZone('Asia/Taipei')
  expect(showMoment('2026-11-22T18:30:00.000Z')).toBe('2026-11-23 02:30:00')
  setTimeZone('America/New_York')
  expect(showMoment('2026-11-01T05:59:59.000Z')).toBe('2026-11-01 01:59:59')
  expect(showMoment('2026-11-01T06:00:00.000Z')).toBe('2026-11-01 01:00:00')
})

test.each([
  ['UTC', '2026-11-22 09:00', '2026-11-22T09:00:00.000Z'],
  ['Asia/Taipei', '2026-11-22 02:30', '2026-11-21T18:30:00.000Z'],
  // Comes twice, and is skipped.
  ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
  ['America/New_York', '2026-11-01 02:00', '2026-11-01T07:00:00.000Z'],
  ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
  ['America/New_York', '2026-03-08 03:00', '2026-03-08T07:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04 01:59', '2026-10-03T15:29:00.000Z'],
])('[DESK-07] in %s %s is %s', (zone, minute, moment) => {
  setTimeZone(zone)
  expect(new Date(momentOf(minute)).toISOString()).toBe(moment)
})

test('a time that the server has written in the zone of the platform is not shifted once more', () => {
  for (const zone of ['Asia/Taipei', 'America/New_York', 'Pacific/Kiritimati']) {
    setTimeZone(zone)
    expect(showMoment('2026-11-22 18:30:00')).toBe('2026-11-22 18:30:00')
  }
})

test.each([
  ['UTC', 'Asia/Taipei', 'UTC+8 (Asia/Taipei)'],
  ['Asia/Taipei', 'UTC', 'UTC'],
  ['Asia/Manila', 'Asia/Taipei', ''],
  ['Asia/Taipei', 'Asia/Kathmandu', 'UTC+5:45 (Asia/Kathmandu)'],
  ['UTC', 'America/St_Johns', 'UTC−3:30 (America/St_Johns)'],
  ['UTC', 'Europe/London', ''],
])('[FIRST-04] a device in %s and a platform in %s: "%s" is said', (device, platform, said) => {
  const zone = process.env.TZ
  onTestFinished(() => {
    process.env.TZ = zone
  })
  process.env.TZ = device
  setTimeZone(platform)
  noteServerTime('Sun, 22 Nov 2026 12:00:00 GMT')
  expect(foreignZone()).toBe(said)
})
