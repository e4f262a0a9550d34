import { expect, test } from 'vitest'
import { typedAmount } from './typed-amount.ts'

test.each([
  ['500', { amount: '500', words: '' }],
  ['ann 500', { amount: '500', words: 'ann' }],
  ['1,250.5 Ann Lee', { amount: '1250.5', words: 'Ann Lee' }],
  ['ann', { amount: undefined, words: 'ann' }],
  ['user500', { amount: undefined, words: 'user500' }],
  ['1.2.3', { amount: undefined, words: '1.2.3' }],
  ['-5', { amount: undefined, words: '-5' }],
  ['0', { amount: undefined, words: '0' }],
  ['5 6', { amount: '5', words: '6' }],
  ['500.00001', { amount: undefined, words: '500.00001' }],
  ['1'.repeat(13), { amount: undefined, words: '1'.repeat(13) }],
])('[FIND-03] the palette reads %j as an amount and words', (text, found) => {
  expect(typedAmount(text)).toEqual(found)
})
