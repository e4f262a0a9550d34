import { describe, expect, test } from 'vitest'
import { formatPoints, parsePoints, showPoints } from './points.ts'

describe('points', () => {
  test.each([
    ['0', 0n],
    ['1', 10_000n],
    ['12.5', 125_000n],
    ['-12.5', -125_000n],
    ['0.0001', 1n],
    ['-0.0001', -1n],
    ['999999999999.9999', 9_999_999_999_999_999n],
    ['007', 70_000n],
  ])('[TRF-09] %s is exact', (text, points) => {
    expect(parsePoints(text)).toBe(points)
  })

  test.each([
    '',
    '-',
    '-0',
    '-0.0000',
    '1e3',
    '12.',
    '.5',
    '1,000',
    '１２',
    '1.23456',
    '0x10',
    'NaN',
    'Infinity',
    ' 1',
    '1 ',
    '+1',
    '1234567890123',
    '--1',
  ])('[TRF-09] "%s" is not an amount', (text) => {
    expect(parsePoints(text)).toBeUndefined()
  })

  test('[TRF-09] formatting and parsing an amount gives the same amount', () => {
    for (const points of [0n, 1n, -1n, 9_999n, 10_000n, -123_456_789n, 9_999_999_999_999_999n]) {
      expect(parsePoints(formatPoints(points))).toBe(points)
    }
  })

  test.each([
    [12_345_678n, '1,234.56'],
    [19_999n, '1.99'],
    [-19_901n, '-2.00'],
    [-1n, '-0.01'],
    [0n, '0.00'],
    [10_000_000_000n, '1,000,000.00'],
  ])('[SHELL-08] %s shows as %s, rounded down', (points, text) => {
    expect(showPoints(points)).toBe(text)
  })
})
