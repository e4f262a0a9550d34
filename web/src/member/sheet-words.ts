import type { WordsOn } from '@tallyroom/locales'
import { addWords, type Loaders } from '../i18n/i18n.ts'

/** Each language with the texts that only the sheets of the member's page say (locales/pages.ts). */
const sheetWords: Loaders<WordsOn<'member'>> = {
  en: () => import('@tallyroom/locales/en?sheets'),
  'zh-TW': () => import('@tallyroom/locales/zh-TW?sheets'),
  'zh-CN': () => import('@tallyroom/locales/zh-CN?sheets'),
  id: () => import('@tallyroom/locales/id?sheets'),
  ms: () => import('@tallyroom/locales/ms?sheets'),
  ta: () => import('@tallyroom/locales/ta?sheets'),
  vi: () => import('@tallyroom/locales/vi?sheets'),
  th: () => import('@tallyroom/locales/th?sheets'),
  my: () => import('@tallyroom/locales/my?sheets'),
  ru: () => import('@tallyroom/locales/ru?sheets'),
  bn: () => import('@tallyroom/locales/bn?sheets'),
}

/** A sheet waits for this: it resolves when the sheet can be drawn. */
export const loadSheetWords = (): Promise<void> => addWords(sheetWords)
