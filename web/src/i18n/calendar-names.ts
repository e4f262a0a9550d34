import type { Language } from '@tallyroom/locales'

/** Chromium has no Burmese, and would answer in English. */
const burmese = {
  months: 'ဇန်နဝါရီ ဖေဖော်ဝါရီ မတ် ဧပြီ မေ ဇွန် ဇူလိုင် သြဂုတ် စက်တင်ဘာ အောက်တိုဘာ နိုဝင်ဘာ ဒီဇင်ဘာ'.split(' '),
  days: 'တနင်္ဂနွေ တနင်္လာ အင်္ဂါ ဗုဒ္ဓဟူး ကြာသပတေး သောကြာ စနေ'.split(' '),
  shortDays: 'နွေ လာ ဂါ ဟူး ကြာ သော နေ'.split(' '),
}

/** Languages whose week begins on Sunday; that of the others begins on Monday. */
const sundayFirst: readonly Language[] = ['en', 'zh-TW', 'ta', 'bn']

export const firstWeekday = (language: Language) => (sundayFirst.includes(language) ? 0 : 1)

const noon = (day: string) => new Date(`${day}T12:00:00Z`)
/** Latin digits and the years of the other dates, also in Thai. */
const named = (language: Language, day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(`${language}-u-nu-latn-ca-gregory`, { ...options, timeZone: 'UTC' }).format(noon(day))

/** The month of a day, YYYY-MM-DD, with its year. */
export const monthName = (language: Language, day: string): string =>
  language === 'my'
    ? `${burmese.months[noon(day).getUTCMonth()]} ${day.slice(0, 4)}`
    : named(language, day, { month: 'long', year: 'numeric' })

export const weekdayName = (language: Language, day: string, width: 'long' | 'short'): string =>
  language === 'my'
    ? (burmese[width === 'long' ? 'days' : 'shortDays'][noon(day).getUTCDay()] ?? '')
    : named(language, day, { weekday: width })
