/** Scripts without spaces between words: there, pairs of neighbouring letters serve as words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const runs = new RegExp(`[${UNSPACED}]+|[^\\s${UNSPACED}]+`, 'gu')
const isUnspaced = new RegExp(`^[${UNSPACED}]`, 'u')

/** One form for texts that read the same: without differences of case, width and punctuation. */
export const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF'’]/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const pairsOf = (run: string): string[] => {
  const letters = Array.from(graphemes.segment(run), ({ segment }) => segment)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
}

/** The words of a text; for scripts without spaces, the pairs of neighbouring letters. */
export const tokensOf = (text: string): Set<string> =>
  new Set((normalize(text).match(runs) ?? []).flatMap((run) => (isUnspaced.test(run) ? pairsOf(run) : [run])))

/** Whether a text contains a phrase, as whole words or, in scripts without spaces, anywhere. Both are normalized. */
export const containsPhrase = (text: string, phrase: string): boolean =>
  isUnspaced.test(phrase)
    ? text.replaceAll(' ', '').includes(phrase.replaceAll(' ', ''))
    : ` ${text} `.includes(` ${phrase} `)
