/** Units of the original that a quote shows. */
export const QUOTE_LENGTH = 120

let segmenter: Intl.Segmenter | undefined

/** Letters of several code points, such as 👨‍👩‍👧 or a Burmese syllable, are looked for within this many units. */
const LONGEST_LETTER = 64

const graphemes = (text: string) => {
  segmenter ??= 'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : undefined
  return segmenter?.segment(text)
}

/** Where the letter around the unit `at` begins and ends: that of 👨‍👩‍👧 is all of it. */
export const letterAround = (text: string, at: number): { start: number; end: number } => {
  const from = Math.max(0, at - LONGEST_LETTER)
  const found = graphemes(text.slice(from, at + LONGEST_LETTER))?.containing(at - from)
  return found
    ? { start: from + found.index, end: from + found.index + found.segment.length }
    : { start: at, end: at + 1 }
}

/**
 * The beginning of a text, at most `length` UTF-16 units long, and never cut inside of a letter: half an emoji is no text,
 * which databases and AI endpoints refuse.
 */
export const cutText = (text: string, length: number): string => {
  if (text.length <= length) return text
  // The end of the sample may be cut inside of a letter, which is then behind `length`.
  const sample = text.slice(0, length + LONGEST_LETTER)
  const start = graphemes(sample)?.containing(length)?.index ?? length
  // A letter that is longer than all the rest, such as one below a stack of marks, is cut between its code points.
  const end = length - start < LONGEST_LETTER && start > 0 ? start : length
  return sample.slice(0, isInsidePair(sample, end) ? end - 1 : end)
}

const isInsidePair = (text: string, at: number) => (text.codePointAt(at - 1) ?? 0) > 0xffff

/** The text, or its beginning with "…", at most `length` UTF-16 units long. */
export const shortText = (text: string, length: number): string =>
  text.length <= length ? text : `${cutText(text, length - 1).trimEnd()}…`
