import type { WordsOn } from '@tallyroom/locales'
import type { Loaders } from '../i18n/i18n.ts'

/** Each language with the texts of this page only. */
export const loaders: Loaders<WordsOn<'member'>> = {
  en: () => import('@tallyroom/locales/en?member'),
  'zh-TW': () => import('@tallyroom/locales/zh-TW?member'),
  'zh-CN': () => import('@tallyroom/locales/zh-CN?member'),
  id: () => import('@tallyroom/locales/id?member'),
  ms: () => import('@tallyroom/locales/ms?member'),
  ta: () => import('@tallyroom/locales/ta?member'),
  vi: () => import('@tallyroom/locales/vi?member'),
  th: () => import('@tallyroom/locales/th?member'),
  my: () => import('@tallyroom/locales/my?member'),
  ru: () => import('@tallyroom/locales/ru?member'),
  bn: () => import('@tallyroom/locales/bn?member'),
}
