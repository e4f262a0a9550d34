import type en from './en.ts'
import type { KeyOn, LightPage } from './pages.ts'

export const languages = ['en', 'zh-TW', 'zh-CN', 'id', 'ms', 'ta', 'vi', 'th', 'my', 'ru', 'bn'] as const
export type Language = (typeof languages)[number]
export const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text)

/** What each language calls itself. */
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

/** Words of a count, by the categories of Intl.PluralRules; `other` is always there. */
export type Plural = { other: string; zero?: string; one?: string; two?: string; few?: string; many?: string }
export type EveryKey = keyof typeof en
/**
 * A program that checks a light page alone declares `page` here (web/src/member/page-words.ts): then `WordKey` is only what
 * the tables of that page hold, also in the components that it shares with the back office.
 */
export interface OnlyOn {}
export type WordKey = OnlyOn extends { page: infer P extends LightPage } ? KeyOn<P> : EveryKey
type Table<K extends EveryKey> = { [Key in K]: (typeof en)[Key] extends string ? string : Plural }
/** Every language has every key of the English file, and no other. */
export type Words = Table<WordKey>
/** What the build leaves of a language for a light page. */
export type WordsOn<P extends LightPage> = Table<KeyOn<P>>

/** Fills the {placeholders} of a key's words; a plural is chosen by `n`. */
export const say = <K extends EveryKey>(
  words: Readonly<Record<K, string | Plural>>,
  language: Language,
  key: K,
  values: Record<string, string | number> = {},
) => {
  const found = words[key]
  const text = typeof found === 'string' ? found : pluralOf(found, language, Number(values.n))
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}

/** Made once: making one takes as long as a hundred answers of it, and a list asks with every row. */
const rules = new Map<Language, Intl.PluralRules>()
const pluralOf = (plural: Plural, language: Language, n: number) => {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return plural[known.select(n)] ?? plural.other
}

/** The best of our languages for an Accept-Language header: exact names first, then what stands for them. */
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
