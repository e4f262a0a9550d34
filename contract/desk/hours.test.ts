import { describe, expect, test } from 'vitest'
import { nextClosing, nextOpening, openAt, type OpeningHours, openSeconds, type Span } from './hours.ts'
import { differencesIn } from './hours-oracle.ts'

const everyDay = (...spans: Span[]): OpeningHours => ({ zone: 'UTC', week: Array(7).fill(spans), days: [] })
const at = (moment: string) => Date.parse(`${moment}Z`)
const shown = (ms: number | undefined) => ms !== undefined && new Date(ms).toISOString().slice(0, 16)

describe('[DESK-05] opening hours', () => {
  test('10,000 random hours in 12 zones differ in nothing from a recount minute by minute: 30 of them here', () => {
    expect(differencesIn(30, 1)).toEqual([])
  })

  test('several spans of a day, one past midnight', () => {
    const hours = everyDay([540, 720], [1320, 120])
    expect(
      ['08:59', '09:00', '11:59', '12:00', '22:00', '01:59', '02:00'].map((time) =>
        openAt(hours, at(`2026-11-30T${time}`)),
      ),
    ).toEqual([false, true, true, false, true, true, false])
    expect(openSeconds(hours, at('2026-11-30T00:00'), at('2026-12-01T00:00'))).toBe((3 + 4) * 3600)
    expect(shown(nextClosing(hours, at('2026-11-30T23:00')))).toBe('2026-12-01T02:00')
  })

  test('a holiday is closed, and the night before it still ends', () => {
    const hours = { ...everyDay([1320, 120]), days: [{ day: '2026-12-25', spans: [] }] }
    expect(openAt(hours, at('2026-12-25T01:00'))).toBe(true)
    expect(shown(nextOpening(hours, at('2026-12-25T02:00')))).toBe('2026-12-26T22:00')
  })

  test('a minute that does not exist is skipped, one that comes twice counts twice', () => {
    const hours = { ...everyDay([120, 180]), zone: 'Europe/Berlin' }
    expect(openSeconds(hours, at('2026-03-28T12:00'), at('2026-03-29T12:00'))).toBe(0)
    expect(shown(nextOpening(hours, at('2026-03-28T12:00')))).toBe('2026-03-30T00:00')
    expect(openSeconds(hours, at('2026-10-24T12:00'), at('2026-10-25T12:00'))).toBe(7200)
  })

  test('a desk that never opens or never closes says so, also after days that differ', () => {
    expect(nextOpening(everyDay(), at('2026-11-30T00:00'))).toBeUndefined()
    expect(nextClosing(everyDay([0, 1440]), at('2026-11-30T00:00'))).toBeUndefined()
    const once = { ...everyDay(), days: [{ day: '2027-11-30', spans: [[540, 600]] as const }] }
    expect(shown(nextOpening(once, at('2026-11-30T00:00')))).toBe('2027-11-30T09:00')
  })
})
