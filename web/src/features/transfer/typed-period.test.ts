import type { Words } from '@tallyroom/locales'
import my from '@tallyroom/locales/my'
import ru from '@tallyroom/locales/ru'
import vi from '@tallyroom/locales/vi'
import { expect, test } from 'vitest'
import type { Translate } from '../../i18n/i18n.ts'
import { typedPeriod } from './typed-period.ts'

const of =
  (words: Words): Translate =>
  (key) =>
    words[key] as string

test.each([
  ['as its keyboard composes it', '500 hôm qua Ann', vi, '500 Ann'],
  ['in combining marks', '500 hôm qua Ann'.normalize('NFD'), vi, '500 Ann'],
  ['without accents', 'HOM QUA  500', vi, '500'],
  ['with spaces that do not break', '500\u00a0hôm\u00a0qua', vi, '500'],
  ['in other capitals', 'ВЧЕРА 1 250,50', ru, '1 250,50'],
  ['with marks that are letters', '၅၀၀ မနေ့က', my, '၅၀၀'],
])('[FIND-03] [TEXT-02] yesterday is found %s, and the other words stay as typed', (_, text, words, rest) => {
  const { typed, rest: left } = typedPeriod(text, of(words))
  expect(typed).toEqual({ period: 'yesterday', name: words['time.yesterday'] })
  expect(left).toBe(rest)
})
