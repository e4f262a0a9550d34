import { afterEach, expect, test } from 'vitest'
import { noteServerTime } from '../../lib/clock.ts'
import { setTimeZone, timeZone } from '../../i18n/time.ts'
import { opensAt } from './desk-facts.ts'

const before = timeZone()
afterEach(() => setTimeZone(before))

test('[DESK-06] the page knows by itself when the desk opens and closes, in the zone of the platform', () => {
  setTimeZone('Asia/Taipei')
  noteServerTime('Mon, 30 Nov 2026 00:00:00 GMT')
  const opening = {
    is_open: false,
    changes: ['2026-11-30T01:00:00.000Z', '2026-11-30T10:00:00.000Z', '2026-12-01T01:00:00.000Z'],
  }
  const at = (time: string) => opensAt(opening, Date.parse(time))
  expect(at('2026-11-30T00:59:59Z')).toBe('09:00')
  expect(at('2026-11-30T01:00:00Z')).toBeUndefined()
  expect(at('2026-11-30T10:00:00Z')).toBe('12-01 09:00')
  expect(opensAt({ is_open: false, changes: [] }, 0)).toBe('')
  expect(opensAt(null, 0)).toBeUndefined()
})
