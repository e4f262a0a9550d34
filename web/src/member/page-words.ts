import { t } from '../i18n/i18n.ts'

// Only in the program that checks this page (web/tsconfig.member.json): `t` takes the words that its tables hold, and no others.
declare module '@tallyroom/locales' {
  interface OnlyOn {
    page: 'member'
  }
}

/** This file does not compile if that is no longer true. */
export const proof = (name: 'api_url') => [
  t('member.sign_in'),
  // @ts-expect-error -- a word of the back office
  t('setting.api_url'),
  // @ts-expect-error -- the same, put together
  t(`setting.${name}`),
]
