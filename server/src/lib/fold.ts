import { fold } from '@tallyroom/contract/text/fold'

/** As texts were folded before migration 0075: the messages that it found keep their accents. */
export const accented = (text: string): string =>
  text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()

/** The folded text to store for searching; null when it equals the text itself. */
export const foldedBeside = (text: string): string | null => {
  const folded = fold(text)
  return folded === text ? null : folded
}

export type Excerpt = { before: string; hit: string; after: string }
const BEFORE = 32
const AFTER = 96

/** The part of a text around a hit, in the text's own characters and never cut inside one. */
export const excerptOf = (text: string, folded: string): Excerpt => {
  const letters = text.match(/\P{M}?\p{M}*/gsu)?.filter((letter) => letter !== '') ?? []
  /** The index of the character from which each unit of the folded text came. */
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
  // Some characters fold only together: such a hit is shown unmarked.
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
