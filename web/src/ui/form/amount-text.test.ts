import { expect, test } from 'vitest'
import { amountToSend, caretAfter, groupAmount } from './amount-text.ts'

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
  ['-5', undefined],
  ['0', undefined],
  ['0.0000', undefined],
  ['-', undefined],
  ['', undefined],
  ['1.250', undefined],
  ['1e3', undefined],
])('[TRF-01] [TRF-09] [TEXT-01] %s goes to the server as %s', (typed, sent) => {
  expect(amountToSend(typed)).toBe(sent)
})
