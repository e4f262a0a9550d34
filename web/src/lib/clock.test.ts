import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showNow, today } from '../i18n/time.ts'
import { forgetServerTime, isClockInDoubt, noteServerTime, onClockSet, serverNow, serverTimeAt } from './clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SERVER = '2026-11-22T23:30:00.000Z'
const header = (ms: number) => new Date(ms).toUTCString()

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(SERVER) }))
afterEach(forgetServerTime)

test.each([
  ['an hour behind', -HOUR],
  ['an hour ahead', HOUR],
  ['a day behind', -DAY],
  ['a year ahead', 365 * DAY],
])('[FIRST-05] on a device %s the day is the server’s', (_, wrong) => {
  vi.setSystemTime(Date.parse(SERVER) + wrong)
  noteServerTime(header(Date.parse(SERVER)))
  expect(new Date(serverNow()).toISOString()).toBe(SERVER)
  expect([today(), showNow()]).toEqual(['2026-11-22', '2026-11-22 23:30:00'])
  vi.advanceTimersByTime(HOUR)
  expect(today()).toBe('2026-11-23')
  expect(serverTimeAt(performance.now() - HOUR)).toBe(Date.parse(SERVER))
})

test('[FIRST-05] setting the clock of the device changes nothing, and raises the doubt that asks the server', () => {
  noteServerTime(header(Date.parse(SERVER)))
  vi.advanceTimersByTime(60_000)
  expect(isClockInDoubt()).toBe(false)
  vi.setSystemTime(Date.parse('2031-01-01T00:00:00Z'))
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-22T23:31:00.000Z')
  expect(isClockInDoubt()).toBe(true)
  noteServerTime(header(Date.parse(SERVER) + 60_000))
  expect(isClockInDoubt()).toBe(false)
})

test('[FIRST-05] after a sleep that stopped the page’s time, the first answer sets it and says so', () => {
  noteServerTime(header(Date.parse(SERVER)))
  const set = vi.fn()
  const stop = onClockSet(set)
  // The device's clock goes on while it sleeps; `performance.now()` stands still.
  vi.setSystemTime(Date.parse(SERVER) + 9 * HOUR)
  expect(isClockInDoubt()).toBe(true)
  noteServerTime(header(Date.parse(SERVER) + 9 * HOUR))
  expect(set).toHaveBeenCalledOnce()
  expect(showNow()).toBe('2026-11-23 08:30:00')
  stop()
})

test('answers narrow the time down, though their header has whole seconds and some come late', () => {
  const start = Date.parse(SERVER)
  /** An answer that the server has stamped `took` ms before it comes. */
  const answer = (took: number) => {
    const sentAt = performance.now()
    vi.advanceTimersByTime(took)
    noteServerTime(header(Math.floor((Date.now() - took) / 1000) * 1000), sentAt)
  }
  vi.setSystemTime(start + 900)
  answer(0)
  expect(serverNow() - Date.now()).toBe(-900)
  vi.advanceTimersByTime(120)
  answer(0)
  expect(serverNow() - Date.now()).toBe(-20)
  answer(5000)
  expect(serverNow() - Date.now()).toBe(-20)
  // The server's own clock was set back by a minute.
  noteServerTime(header(Date.now() - 60_000), performance.now())
  expect(serverNow() - Date.now()).toBeLessThan(-59_000)
  noteServerTime(null)
  noteServerTime('not a date')
  expect(serverNow() - Date.now()).toBeLessThan(-59_000)
})
