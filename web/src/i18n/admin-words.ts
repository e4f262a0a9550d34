import { addWords, type Loaders } from './i18n.ts'

/** Each language with the texts that only pages of admins and the settings say (locales/pages.ts). */
const adminWords: Loaders = {
  en: () => import('@tallyroom/locales/en?admin'),
  'zh-TW': () => import('@tallyroom/locales/zh-TW?admin'),
  'zh-CN': () => import('@tallyroom/locales/zh-CN?admin'),
  id: () => import('@tallyroom/locales/id?admin'),
  ms: () => import('@tallyroom/locales/ms?admin'),
  ta: () => import('@tallyroom/locales/ta?admin'),
  vi: () => import('@tallyroom/locales/vi?admin'),
  th: () => import('@tallyroom/locales/th?admin'),
  my: () => import('@tallyroom/locales/my?admin'),
  ru: () => import('@tallyroom/locales/ru?admin'),
  bn: () => import('@tallyroom/locales/bn?admin'),
}

/** The route of such a page waits for this: it resolves when the page can be drawn. */
export const loadAdminWords = (): Promise<void> => addWords(adminWords)
