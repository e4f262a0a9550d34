import { languages } from '@tallyroom/locales'
import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { wordsOfAntd } from './languages.ts'

/** What the pages use of the component library that speaks. */
const spoken = ['Empty', 'DatePicker', 'Modal'] as const
const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
/** Patterns of dates, and names of languages. */
const isWord = (text: string) =>
  /\p{L}{3}/u.test(text) && !/^[YMDHhmsAaTZQwo\s./:,-]+$/.test(text) && !/^[a-z]{2}_[A-Z]{2}$/.test(text)

test('[I18N-02] the component library and its months speak every language', async () => {
  const english = await wordsOfAntd('en')
  const [months, left]: [Set<string>, string[]] = [new Set(), []]
  for (const language of languages) {
    const words = await wordsOfAntd(language)
    months.add(dayjs('2026-01-15').format('MMMM dddd'))
    if (language === 'en') continue
    for (const part of spoken) {
      const [own, theirs] = [textsOf(words[part]), new Set(textsOf(english[part]))]
      left.push(...own.filter((text) => isWord(text) && theirs.has(text)).map((text) => `${language} ${part}: ${text}`))
    }
  }
  expect(left).toEqual([])
  // The two Chinese ones have the same.
  expect(months.size).toBe(languages.length - 1)
})
