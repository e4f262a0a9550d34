import type en from './en.ts'
import type { KeyOn, LightPage } from './pages.ts'

export const languages = ['en', 'zh-TW', 'zh-CN', 'id', 'ms', 'ta', 'vi', 'th', 'my', 'ru', 'bn'] as const
export type Language = (typeof languages)[number]
export const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text)

/** Name of each language in itself. */
export const ownNames: Record<Language, string> = {
  en: 'English',
  'zh-TW': '繁體中文',
  'zh-CN': '简体中文',
  id: 'Bahasa Indonesia',
  ms: 'Bahasa Melayu',
  ta: 'தமிழ்',
  vi: 'Tiếng Việt',
  th: 'ไทย',
  my: 'မြန်မာ',
  ru: 'Русский',
  bn: 'বাংলা',
}

/** Plural forms by the categories of Intl.PluralRules; `other` is required. */
export type Plural = { other: string; zero?: string; one?: string; two?: string; few?: string; many?: string }
type EveryKey = keyof typeof en
/**
 * A program that type-checks one light page declares `page` here (web/src/member/page-words.ts). Then `WordKey` has
 * only the keys of that page, also in components shared with the back office.
 */
export interface OnlyOn {}
export type WordKey = OnlyOn extends { page: infer P extends LightPage } ? KeyOn<P> : EveryKey
type Table<K extends EveryKey> = { [Key in K]: (typeof en)[Key] extends string ? string : Plural }
/** Every language has exactly the keys of the English file. */
export type Words = Table<WordKey>
/** The part of a language that the build keeps for a light page. */
export type WordsOn<P extends LightPage> = Table<KeyOn<P>>

/** Returns a key's text with its {placeholders} filled in; `n` selects the plural form. */
export const say = <K extends EveryKey>(
  words: Readonly<Record<K, string | Plural>>,
  language: Language,
  key: K,
  values: Record<string, string | number> = {},
) => {
  const found = words[key]
  const text = typeof found === 'string' ? found : pluralOf(found, language, Number(values.n))
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? isolated(String(values[name])) : whole))
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** A name in Hebrew or Arabic would change places with the number or the name beside it. */
const isolated = (value: string) => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value)

/** Cached: creating one takes as long as a hundred uses, and a list uses it for every row. */
const rules = new Map<Language, Intl.PluralRules>()
const pluralOf = (plural: Plural, language: Language, n: number) => {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return plural[known.select(n)] ?? plural.other
}

/** The best supported language for an Accept-Language header: exact matches first, then related languages. */
export const languageOf = (header: string | undefined): Language => {
  for (const part of (header ?? '').split(',')) {
    const tag = part.split(';')[0]?.trim() ?? ''
    if (isLanguage(tag)) return tag
    const lower = tag.toLowerCase()
    if (/^zh-(tw|hk|mo|hant)/.test(lower)) return 'zh-TW'
    if (lower.startsWith('zh')) return 'zh-CN'
    const base = lower.split('-')[0]
    if (isLanguage(base)) return base
  }
  return 'en'
}
