import { asciiDigits } from './digits.ts'

/** Letters of ASCII fold to themselves, but for their case and for spaces in a row. */
const PLAIN = /^(?!.* {2})[ -~]*$/
/** Without a width: invisible breaks between words, marks that turn the direction of text, fillers, variants of emoji. */
const UNSEEN =
  /[\u17b4-\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u034f\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/**
 * Text in the form that every search compares. Differences that do not count: case, width (ＡＢＣ is abc), accents of Latin
 * letters ("Nguyễn" is "nguyen") and of Russian ё, the script of digits, the kind of a dash or apostrophe, characters
 * without a width, and how many spaces there are. The marks of other scripts are letters.
 *
 * The function `fold` of the database does the same (fold-sql.test.ts): change both, and refill `messages.folded`.
 */
export const fold = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : asciiDigits(
        text
          .normalize('NFKD')
          .replace(UNSEEN, '')
          .replace(/([A-Za-z])[\u0300-\u036f]+/g, '$1')
          .toLowerCase()
          .normalize('NFKC'),
      )
        .replaceAll('đ', 'd')
        .replaceAll('ё', 'е')
        .replaceAll('ς', 'σ')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .replace(/[\u2018\u2019\u02bc]/g, "'")
        .replace(/[\t-\r\u0020\u0085\u1680\u2028\u2029]+/g, ' ')

/** What somebody searches for, folded. Empty when nothing in it can be seen. */
export const foldWanted = (text: string): string => fold(text).trim()
