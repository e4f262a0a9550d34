import { expect, test } from 'vitest'
import en from './en.ts'
import { say } from './index.ts'

test('[I18N-01] a name that is written from right to left keeps its place in a sentence; others are as they are', () => {
  const bank = (value: string) => say(en, 'en', 'bank.too_many', { most: value })
  expect(bank('דנה 12')).toBe('A member can have \u2068דנה 12\u2069 bank accounts at most.')
  expect(bank('Ann 陳 ก 12')).toBe('A member can have Ann 陳 ก 12 bank accounts at most.')
})
