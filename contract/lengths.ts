/**
 * The most characters of what people type, and the least: the server refuses others, and a field takes no more. No Zod here: pages for
 * cheap phones import this file.
 */

/** Of a message, an internal note, a quick reply and an entry of the notebook. */
export const MAX_TEXT = 5000
/** Of a draft: a longer one stays in the browser where it was typed. */
export const MAX_DRAFT = 20_000

export const MAX_NICKNAME = 30
/** Of a username, or of a part of a name, that somebody types to name or to find an account. */
export const MAX_TYPED_NAME = 64
export const MIN_USERNAME = 4
export const MAX_USERNAME = 10
export const MIN_PASSWORD = 4
export const MAX_NEW_PASSWORD = 15
/** Of a password that is compared: older ones may be longer than new ones. */
export const MAX_PASSWORD = 128
/** Of a code of an authenticator or by SMS, and of a recovery code, with what people put between its parts. */
export const MAX_CODE = 40
/** Of a telephone number, with spaces and dashes. */
export const MAX_MOBILE = 30

/** Of the remark of a transfer. */
export const MAX_REMARK = 50
/** Why a request, an approval or a change is refused, or why a member is asked for points. */
export const MAX_REASON = 200
/** Of what a bank calls a payment. */
export const MAX_BANK_REFERENCE = 64
/** Of each part of the number of a bank account. */
export const MAX_ACCOUNT_NUMBER = 50
/** Of the word for the code of a bank. */
export const MAX_CODE_NAME = 20

/** Of a bank, a group, an API key, the owner of a bank account, and a quick reply. */
export const MAX_NAME = 50
export const MAX_VIEW_NAME = 40
export const MAX_PASSKEY_NAME = 40
export const MAX_NOTE_TITLE = 200

/** Of the address of the member API. */
export const MAX_API_URL = 300
export const MAX_SHARE_DOMAIN = 200
