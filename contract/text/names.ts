import { isBlank } from './blank.ts'

/** Letters of these scripts change their form with a joiner behind them. */
const JOINING = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Thai Laoo Tibt'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')
const EMOJI = String.raw`\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?`
/** What cannot be seen by itself, where it changes what is seen: flags of tags, families, keycaps, and joined letters. */
const SEEN = [
  String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}`,
  String.raw`${EMOJI}(?:\u200d${EMOJI})*`,
  String.raw`[0-9#*]\ufe0f(?=\u20e3)`,
  String.raw`(?=[\p{L}\p{M}])[${JOINING}][\u200c\u200d]`,
].join('|')
/** Cannot be seen, or turns the direction of the text beside it: an amount after such a name reads backwards. */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}\p{Cs}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}`
const UNSEEN_IN_NAMES = new RegExp(String.raw`(${SEEN})|[${UNSEEN}\p{Cc}]`, 'gu')
/** The same without tabs and line breaks, which belong to texts of more than a line. */
const UNSEEN_IN_LINES = new RegExp(String.raw`(${SEEN})|[${UNSEEN}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]`, 'gu')
const without = (text: string, unseen: RegExp) => text.replace(unseen, (_, seen?: string) => seen ?? '')

/** Without what cannot be seen: a name with it looks like another name. */
export const withoutUnseen = (text: string): string => without(text, UNSEEN_IN_NAMES)

/** Marks above and below a letter, with the joiners that may be between them. Burmese words have up to four. */
const STACK = /[\p{M}\u200c\u200d]{5,}/gu
const MAX_MARKS = 4

/** Stacked marks cover the lines above and below them. */
const withoutStacks = (text: string) =>
  text.replace(STACK, (stack) => {
    let left = MAX_MARKS
    return stack.replace(/[\p{Mn}\p{Me}]/gu, (mark) => (left-- > 0 ? mark : ''))
  })

const tidied = (text: string, unseen: RegExp) => {
  // What is removed may have kept a letter and its mark apart.
  const tidy = withoutStacks(without(text, unseen).normalize('NFC'))
  // A mark needs a letter, and two signs for music and hieroglyphs are empty by design.
  return isBlank(tidy.replace(/[\p{M}\u{1d159}\u{13441}\u{13442}]/gu, '')) ? '' : tidy.trim()
}

/**
 * A name as it is stored: in one form (NFC), of letters that can be seen, with at most four marks above and below one, and
 * with single spaces. Empty when nothing can be seen.
 */
export const visibleName = (text: string): string => tidied(text, UNSEEN_IN_NAMES).replace(/\s+/gu, ' ')

/** The same for a remark or a reason, which may have several lines. */
export const visibleText = (text: string): string => tidied(text, UNSEEN_IN_LINES)
