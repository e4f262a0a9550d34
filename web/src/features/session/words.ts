import type { WordsOn } from '@tallyroom/locales'
import type { Loaders } from '../../i18n/i18n.ts'

/** Each language with the texts of the sign-in page only. */
export const sessionWords: Loaders<WordsOn<'session'>> = {
  en: () => import('@tallyroom/locales/en?session'),
  'zh-TW': () => import('@tallyroom/locales/zh-TW?session'),
  'zh-CN': () => import('@tallyroom/locales/zh-CN?session'),
  id: () => import('@tallyroom/locales/id?session'),
  ms: () => import('@tallyroom/locales/ms?session'),
  ta: () => import('@tallyroom/locales/ta?session'),
  vi: () => import('@tallyroom/locales/vi?session'),
  th: () => import('@tallyroom/locales/th?session'),
  my: () => import('@tallyroom/locales/my?session'),
  ru: () => import('@tallyroom/locales/ru?session'),
  bn: () => import('@tallyroom/locales/bn?session'),
}
