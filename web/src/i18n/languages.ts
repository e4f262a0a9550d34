import type { Language } from '@tallyroom/locales'
import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'

type Own = { antd: () => Promise<{ default: Locale }>; dayjs?: () => Promise<unknown>; tag: string }

/** antd's own words and dayjs's month names, loaded with the language. */
const own: Record<Language, Own> = {
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

const known = new Map<Language, Locale>()

/** antd's words of a language, and dayjs speaking it. */
export const wordsOfAntd = async (language: Language): Promise<Locale> => {
  const [words] = await Promise.all([own[language].antd(), own[language].dayjs?.()])
  dayjs.locale(own[language].tag)
  known.set(language, words.default)
  return words.default
}

/** antd's words of a language; those of the one before until they are there. */
export const useAntdLocale = (language: Language): Locale | undefined => {
  const [locale, setLocale] = useState(() => known.get(language))
  useEffect(() => {
    let wanted = true
    const load = async () => {
      const words = await wordsOfAntd(language)
      if (wanted) setLocale(words)
    }
    // Without them the pickers speak English: a smaller harm than no page.
    load().catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [language])
  return locale
}
