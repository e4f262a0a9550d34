/** Scripts that write without spaces between words: there two neighbouring letters stand for a word. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const runs = new RegExp(`[${UNSPACED}]+|[^\\s${UNSPACED}]+`, 'gu')
const isUnspaced = new RegExp(`^[${UNSPACED}]`, 'u')

/** One form for what reads the same: case, width, and everything that is neither letter nor number. */
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

/** The words of a text; of scripts without spaces the pairs of neighbouring letters. */
export const tokensOf = (text: string): Set<string> =>
  new Set((normalize(text).match(runs) ?? []).flatMap((run) => (isUnspaced.test(run) ? pairsOf(run) : [run])))

/** Whether a phrase stands in a text: as whole words, or anywhere in scripts without spaces. Both are plain (`plainOf`). */
export const containsPhrase = (text: string, phrase: string): boolean =>
  isUnspaced.test(phrase)
    ? text.replaceAll(' ', '').includes(phrase.replaceAll(' ', ''))
    : ` ${text} `.includes(` ${phrase} `)
