import { isBlank } from './blank.ts'

/** Cannot be seen, or turns the direction of the text beside it: an amount after such a name reads backwards. */
const UNSEEN =
  /[\u034f\p{Cc}\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u2800\u3164\ufeff\uffa0]/gu
/** The same without tabs and line breaks, which belong to texts of more than a line. */
const UNSEEN_IN_LINES = new RegExp(
  UNSEEN.source.replace(String.raw`\p{Cc}`, String.raw`\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f`),
  'gu',
)
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
  const tidy = withoutStacks(text.normalize('NFC').replace(unseen, ''))
  // A mark needs a letter, and two signs for music and hieroglyphs are empty by design.
  return isBlank(tidy.replace(/[\p{M}\u{1d159}\u{13441}\u{13442}]/gu, '')) ? '' : tidy.trim()
}

/**
 * A name as it is stored: in one form (NFC), of letters that can be seen, with at most four marks above and below one.
 * Empty when nothing can be seen.
 */
export const visibleName = (text: string): string => tidied(text, UNSEEN)

/** The same for a remark or a reason, which may have several lines. */
export const visibleText = (text: string): string => tidied(text, UNSEEN_IN_LINES)
