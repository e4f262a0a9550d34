import { MAX_NEW_PASSWORD, MAX_USERNAME, MIN_PASSWORD, MIN_USERNAME } from '@tallyroom/contract/lengths'
import { typedKey } from '@tallyroom/contract/text/typed-key'
import type { Translate } from '../../i18n/i18n.ts'
import type { Rules } from '../../ui/form/use-form.ts'

const isBetween = (text: string, least: number, most: number) => text.length >= least && text.length <= most

/** The server checks the same again. */
export const signUpRules = (
  t: Translate,
): Rules<{ username: string; password: string; password_confirmation: string }> => ({
  username: (text) => {
    const username = typedKey(text)
    if (!isBetween(username, MIN_USERNAME, MAX_USERNAME)) return t('member.username_length')
    return !/^[A-Za-z0-9_.-]+$/.test(username) && t('member.username_letters')
  },
  password: (text) => {
    if (!isBetween(text, MIN_PASSWORD, MAX_NEW_PASSWORD)) return t('member.password_length')
    return !/^[A-Za-z0-9]+$/.test(text) && t('member.password_letters')
  },
  password_confirmation: (text, { password }) => text !== password && t('account.passwords_differ'),
})
