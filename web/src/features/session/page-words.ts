import { t } from '../../i18n/i18n.ts'

// Only in the program that type-checks this page (web/tsconfig.session.json): `t` accepts only the texts of this page.
declare module '@tallyroom/locales' {
  interface OnlyOn {
    page: 'session'
  }
}

/** A compile-time test: this file fails to compile if `t` accepts other texts. */
export const proof = (name: 'api_url') => [
  t('session.enter'),
  // @ts-expect-error -- a text of the back office
  t('setting.api_url'),
  // @ts-expect-error -- the same with a computed key
  t(`setting.${name}`),
]
