import { type Language, languages } from '@tallyroom/locales'
import { expect, test } from 'vitest'
import { monthName, weekdayName } from './calendar-names.ts'

const days = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-15`)
const monthsOf = (language: Language) => days.map((day) => monthName(language, day))
const weekdaysOf = (language: Language) => days.map((day) => weekdayName(language, day, 'long'))

test('[I18N-02] every language has its own months and weekdays, with Latin digits and the year of the other dates', () => {
  const english = new Set(weekdaysOf('en'))
  for (const language of languages) {
    const [months, weekdays] = [monthsOf(language), weekdaysOf(language)]
    expect(
      months.every((month) => /2026/.test(month)),
      language,
    ).toBe(true)
    expect(
      [...months, ...weekdays].filter((name) => /(?![0-9])\p{Nd}/u.test(name)),
      language,
    ).toEqual([])
    if (language === 'en') continue
    expect(
      weekdays.filter((weekday) => english.has(weekday)),
      language,
    ).toEqual([])
    // Indonesian has the same word for some months.
    expect(months, language).not.toEqual(monthsOf('en'))
  }
})
