import { expect, test } from 'vitest'
import { amountsOf, amountsProblem, amountsText, amountsValue } from './amounts.ts'

test.each([
  ['500', '500-500'],
  ['1,250.50', '1250.50-1250.50'],
  ['1 250', '1250-1250'],
  ['.5', '0.5-0.5'],
  ['12,5', '12.5-12.5'],
  ['1.000.000', '1000000-1000000'],
  ['1.250,50 - 1 500', '1250.50-1500'],
  ['> Rp 1.000.000', '1000000-'],
  ['๕๐๐', '500-500'],
  ['100-500', '100-500'],
  ['100 – 500', '100-500'],
  ['100..500', '100-500'],
  ['100～500', '100-500'],
  ['500-100', '100-500'],
  ['0-500', '-500'],
  ['>500', '500-'],
  ['>= 500', '500-'],
  ['≥500', '500-'],
  ['500+', '500-'],
  ['500-', '500-'],
  ['<500', '-500'],
  ['＜＝500', '-500'],
  ['-500', '-500'],
])('[FIND-01] [TEXT-01] %s is %s, which a saved address also means', (typed, value) => {
  expect(amountsValue(typed)).toBe(value)
  expect(amountsOf(value)).toEqual(amountsOf(typed))
  expect(amountsOf(amountsText(value))).toEqual(amountsOf(typed))
})

test.each([
  '',
  '-',
  '0',
  '>',
  '5k',
  'lots',
  '1e5',
  '1,250',
  '1.250-2.500',
  '500 1000',
  '1-2-3',
  '>5-7',
  '1.2.3-...',
  '1.00001',
])('[FIND-01] "%s" says nothing', (typed) => expect(amountsValue(typed)).toBe(''))

test.each([
  ['1,250', 'two_readings'],
  ['> 1.250', 'two_readings'],
  ['500 - 1.250', 'two_readings'],
  ['≤1.00001', 'too_exact'],
  ['lots', 'not_one'],
  ['1.250,50-2.000.000', undefined],
  ['500+', undefined],
  ['', undefined],
])('[FIND-01] [TEXT-01] the field says of %j: %s', (typed, problem) => {
  expect(amountsProblem(typed)?.problem).toBe(problem)
})
