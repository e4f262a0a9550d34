import { letterAround } from '@tallyroom/contract/text/cut-text'
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
  /** Where this letter begins in the text, or the end of the text. */
  const unitOf = (letter: number) => letters.slice(0, Math.max(0, letter)).join('').length
  const startOf = (letter: number) => letterAround(text, unitOf(letter)).start
  // Some characters fold only together: such a hit is shown unmarked.
  if (at < 0) return { before: text.slice(0, startOf(BEFORE + AFTER)), hit: '', after: '' }
  const first = origins[at] ?? 0
  const last = origins[at + folded.length - 1] ?? first
  const [start, from] = [startOf(first - BEFORE), startOf(first)]
  const to = letterAround(text, unitOf(last + 1) - 1).end
  const end = Math.max(to, startOf(last + 1 + AFTER))
  return {
    before: (start > 0 ? '…' : '') + text.slice(start, from),
    hit: text.slice(from, to),
    after: text.slice(to, end) + (end < text.length ? '…' : ''),
  }
}
