import { languages } from '@tallyroom/locales'
import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { loadAntdLocale } from './languages.ts'

/** Parts of the component library with texts that our pages use. */
const parts = ['Empty', 'DatePicker', 'Modal'] as const
const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
/** Excludes date patterns and language codes. */
const isWord = (text: string) =>
  /\p{L}{3}/u.test(text) && !/^[YMDHhmsAaTZQwo\s./:,-]+$/.test(text) && !/^[a-z]{2}_[A-Z]{2}$/.test(text)

test('[I18N-02] every language has the texts and month names of the component library', async () => {
  const english = await loadAntdLocale('en')
  const [months, left]: [Set<string>, string[]] = [new Set(), []]
  for (const language of languages) {
    const words = await loadAntdLocale(language)
    months.add(dayjs('2026-01-15').format('MMMM dddd'))
    if (language === 'en') continue
    for (const part of parts) {
      const [own, theirs] = [textsOf(words[part]), new Set(textsOf(english[part]))]
      left.push(...own.filter((text) => isWord(text) && theirs.has(text)).map((text) => `${language} ${part}: ${text}`))
    }
  }
  expect(left).toEqual([])
  // Both Chinese languages have the same month names.
  expect(months.size).toBe(languages.length - 1)
})
