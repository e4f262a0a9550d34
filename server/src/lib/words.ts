import type { ErrorName } from '@tallyroom/contract'
import { type Language, say, type WordKey, type Words } from '@tallyroom/locales'
import bn from '@tallyroom/locales/bn'
import en from '@tallyroom/locales/en'
import id from '@tallyroom/locales/id'
import ms from '@tallyroom/locales/ms'
import my from '@tallyroom/locales/my'
import ru from '@tallyroom/locales/ru'
import ta from '@tallyroom/locales/ta'
import th from '@tallyroom/locales/th'
import vi from '@tallyroom/locales/vi'
import zhCN from '@tallyroom/locales/zh-CN'
import zhTW from '@tallyroom/locales/zh-TW'

const all: Record<Language, Words> = { en, id, ms, ta, vi, th, my, ru, bn, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** The words of a refusal or another key, in the caller's language. */
export const wordsFor = (language: Language, key: ErrorName | WordKey, values?: Record<string, string | number>) =>
  say(all[language], language, key, values)
