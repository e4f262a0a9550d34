import { expect, test } from 'vitest'
import { typedAmount } from './typed-amount.ts'

test('[TEXT-01] the palette takes no amount from a number that may be two', () => {
  expect(typedAmount('1.250 ann')).toEqual({
    amount: undefined,
    words: '1.250 ann',
    unclear: { problem: 'two_readings', meanings: ['1250', '1.25'] },
  })
})

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
  ['1 250,50 ann', { amount: '1250.50', words: 'ann' }],
  ['ann 1.000.000', { amount: '1000000', words: 'ann' }],
  ['12,5', { amount: '12.5', words: '' }],
  ['৫০০ ann', { amount: '500', words: 'ann' }],
  ['1e3 ann', { amount: undefined, words: '1e3 ann' }],
  ['rm88 500', { amount: '500', words: 'rm88' }],
  ['ann RM500', { amount: '500', words: 'ann' }],
  ['ann 5 l', { amount: undefined, words: 'ann 5 l' }],
  ['gina 5 W', { amount: undefined, words: 'gina 5 W' }],
  ['5 li', { amount: '5', words: 'li' }],
  ['Re 500', { amount: '500', words: 'Re' }],
  ['1'.repeat(13), { amount: undefined, words: '1'.repeat(13) }],
])('[FIND-03] [TEXT-01] the palette reads %j as an amount and words', (text, found) => {
  expect(typedAmount(text)).toEqual(found)
})
