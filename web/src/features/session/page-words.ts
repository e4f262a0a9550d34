import { t } from '../../i18n/i18n.ts'

// Only in the program that checks this page (web/tsconfig.session.json): `t` takes the words that its tables hold, and no others.
declare module '@tallyroom/locales' {
  interface OnlyOn {
    page: 'session'
  }
}

/** This file does not compile when that is no longer so. */
export const proof = (name: 'api_url') => [
  t('session.enter'),
  // @ts-expect-error -- a word of the back office
  t('setting.api_url'),
  // @ts-expect-error -- the same, put together
  t(`setting.${name}`),
]
