import { expect, test } from 'vitest'
import { amountToSend, caretAfter, cleanAmount, groupAmount, hasExponent } from './amount-text.ts'

test.each([
  ['1,234.50', false, '1234.50'],
  [' 1 234,5 points', false, '12345'],
  ['-12', false, '12'],
  ['-12', true, '-12'],
  ['1-2', true, '12'],
  ['0.123456', false, '0.1234'],
  ['1.2.3', false, '1.23'],
  ['1234567890123456', false, '123456789012'],
  ['０１２．５', false, '12.5'],
  ['၁၂', false, '12'],
  ['1e9', false, '19'],
  ['', true, ''],
])('[TRF-01] [TRF-02] [TRF-09] %s is kept as digits (minus: %s)', (typed, minus, kept) => {
  expect(cleanAmount(typed, minus)).toBe(kept)
})

test.each([
  ['1e3', true],
  ['１Ｅ３', true],
  ['2.5E-1', true],
  ['1,000', false],
  ['5 euros', false],
])('[TRF-01] %s has an exponent: %s', (typed, has) => {
  expect(hasExponent(typed)).toBe(has)
})

test.each([
  ['1234567.5', '1,234,567.5'],
  ['-1234', '-1,234'],
  ['-', '-'],
  ['.5', '.5'],
  ['123', '123'],
])('%s is shown as %s', (clean, shown) => {
  expect(groupAmount(clean)).toBe(shown)
})

test('the caret stays after the same digit', () => {
  expect(caretAfter('1,234', 1)).toBe(1)
  expect(caretAfter('1,234', 2)).toBe(3)
  expect(caretAfter('1,234', 4)).toBe(5)
})

test.each([
  ['12.', '12'],
  ['.5', '0.5'],
  ['-3.1000', '-3.1000'],
  ['0', undefined],
  ['0.0000', undefined],
  ['-', undefined],
  ['', undefined],
])('[TRF-09] %s goes to the server as %s', (clean, sent) => {
  expect(amountToSend(clean)).toBe(sent)
})
