import type { Loaders } from '../i18n/i18n.ts'

/** Each language with all texts. */
export const officeWords: Loaders = {
  en: () => import('@tallyroom/locales/en'),
  'zh-TW': () => import('@tallyroom/locales/zh-TW'),
  'zh-CN': () => import('@tallyroom/locales/zh-CN'),
  id: () => import('@tallyroom/locales/id'),
  ms: () => import('@tallyroom/locales/ms'),
  ta: () => import('@tallyroom/locales/ta'),
  vi: () => import('@tallyroom/locales/vi'),
  th: () => import('@tallyroom/locales/th'),
  my: () => import('@tallyroom/locales/my'),
  ru: () => import('@tallyroom/locales/ru'),
  bn: () => import('@tallyroom/locales/bn'),
}
