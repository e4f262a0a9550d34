import { asciiDigits } from './digits.ts'

/** A mark of direction that a phone number from the contacts begins and ends with, a byte order mark and the like. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu

/**
 * A username, number or code as the server compares it, however it was typed or pasted: digits of other scripts, full-width
 * letters and other dashes become those of ASCII, and what cannot be seen is left out. Never for passwords.
 */
export const typedKey = (text: string): string =>
  asciiDigits(text.normalize('NFKC').replace(UNSEEN, ''))
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .trim()

/** A new username as its field shows it: at most ten letters, of which none was lost to a mark that cannot be seen. */
export const newUsername = (text: string): string => typedKey(text).slice(0, 10)

/** The same for a code, which people write in groups: "১২৩ ৪৫৬" is "123456". */
export const typedCode = (text: string): string => {
  const code = typedKey(text).replace(/\s+/gu, '')
  return /^[\d-]+$/.test(code) ? code.replaceAll('-', '') : code
}

/**
 * A share code as somebody types it, or as it comes with a link: in groups, in capitals, and with what follows in the
 * sentence. All codes are small letters and digits.
 */
export const typedShareCode = (text: string): string =>
  /^[a-z0-9]*/.exec(
    typedKey(text)
      .replace(/[\s-]+/gu, '')
      .toLowerCase(),
  )?.[0] ?? ''
