import type { Language } from '@tallyroom/locales'
import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'

type LocaleSource = { antd: () => Promise<{ default: Locale }>; dayjs?: () => Promise<unknown>; tag: string }

/** Texts of antd and month names of dayjs, loaded with the language. */
const sources: Record<Language, LocaleSource> = {
  en: { antd: () => import('antd/es/locale/en_US'), tag: 'en' },
  'zh-TW': { antd: () => import('antd/es/locale/zh_TW'), dayjs: () => import('dayjs/locale/zh-tw'), tag: 'zh-tw' },
  'zh-CN': { antd: () => import('antd/es/locale/zh_CN'), dayjs: () => import('dayjs/locale/zh-cn'), tag: 'zh-cn' },
  id: { antd: () => import('antd/es/locale/id_ID'), dayjs: () => import('dayjs/locale/id'), tag: 'id' },
  ms: { antd: () => import('antd/es/locale/ms_MY'), dayjs: () => import('dayjs/locale/ms'), tag: 'ms' },
  ta: { antd: () => import('antd/es/locale/ta_IN'), dayjs: () => import('dayjs/locale/ta'), tag: 'ta' },
  vi: { antd: () => import('antd/es/locale/vi_VN'), dayjs: () => import('dayjs/locale/vi'), tag: 'vi' },
  th: { antd: () => import('antd/es/locale/th_TH'), dayjs: () => import('dayjs/locale/th'), tag: 'th' },
  my: { antd: () => import('antd/es/locale/my_MM'), dayjs: () => import('dayjs/locale/my'), tag: 'my' },
  ru: { antd: () => import('antd/es/locale/ru_RU'), dayjs: () => import('dayjs/locale/ru'), tag: 'ru' },
  bn: { antd: () => import('antd/es/locale/bn_BD'), dayjs: () => import('dayjs/locale/bn'), tag: 'bn' },
}

const loaded = new Map<Language, Locale>()

/** Loads antd's texts of a language and switches dayjs to it. */
export const loadAntdLocale = async (language: Language): Promise<Locale> => {
  const [words] = await Promise.all([sources[language].antd(), sources[language].dayjs?.()])
  dayjs.locale(sources[language].tag)
  loaded.set(language, words.default)
  return words.default
}

/** antd's texts of a language; those of the previous language until they are loaded. */
export const useAntdLocale = (language: Language): Locale | undefined => {
  const [locale, setLocale] = useState(() => loaded.get(language))
  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      const words = await loadAntdLocale(language)
      if (isCurrent) setLocale(words)
    }
    // If loading fails the pickers stay in English, which is better than no page.
    load().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [language])
  return locale
}
