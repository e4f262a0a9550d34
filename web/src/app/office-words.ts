import type { Loaders } from '../i18n/i18n.ts'

/** Each language with the texts of all pages but those of admins. */
export const officeWords: Loaders = {
  en: () => import('@tallyroom/locales/en?office'),
  'zh-TW': () => import('@tallyroom/locales/zh-TW?office'),
  'zh-CN': () => import('@tallyroom/locales/zh-CN?office'),
  id: () => import('@tallyroom/locales/id?office'),
  ms: () => import('@tallyroom/locales/ms?office'),
  ta: () => import('@tallyroom/locales/ta?office'),
  vi: () => import('@tallyroom/locales/vi?office'),
  th: () => import('@tallyroom/locales/th?office'),
  my: () => import('@tallyroom/locales/my?office'),
  ru: () => import('@tallyroom/locales/ru?office'),
  bn: () => import('@tallyroom/locales/bn?office'),
}
