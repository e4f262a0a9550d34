/**
 * Text as it is searched: neither case nor width counts (ＡＢＣ is abc), nor what has no width. Thai and Burmese are often
 * written with invisible breaks between words, which nobody types into a search.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/gu, '')
    .replace(/\s+/gu, ' ')

/** What is stored beside a text to be searched instead of it: nothing when the text is the same. */
export const foldedBeside = (text: string): string | null => {
  const folded = fold(text)
  return folded === text ? null : folded
}

export type Excerpt = { before: string; hit: string; after: string }
const BEFORE = 32
const AFTER = 96

/** The part of a text around what was searched for, in the text's own letters; never cut inside of one. */
export const excerptOf = (text: string, folded: string): Excerpt => {
  const letters = text.match(/\P{M}?\p{M}*/gsu)?.filter((letter) => letter !== '') ?? []
  /** Of each unit of the folded text, the letter that it came from. */
  const origins: number[] = []
  let flat = ''
  letters.forEach((letter, at) => {
    const piece = fold(letter)
    const more = piece === ' ' && flat.endsWith(' ') ? '' : piece
    flat += more
    for (let n = 0; n < more.length; n++) origins.push(at)
  })
  const at = flat.indexOf(folded)
  const cut = (from: number, to: number) => letters.slice(Math.max(0, from), to).join('')
  // Letters that only together fold into others: the hit is shown unmarked.
  if (at < 0) return { before: cut(0, BEFORE + AFTER), hit: '', after: '' }
  const from = origins[at] ?? 0
  const to = (origins[at + folded.length - 1] ?? from) + 1
  const start = from - BEFORE
  return {
    before: (start > 0 ? '…' : '') + cut(start, from),
    hit: cut(from, to),
    after: cut(to, to + AFTER) + (to + AFTER < letters.length ? '…' : ''),
  }
}
