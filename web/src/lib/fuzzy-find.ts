import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import uFuzzy from '@leeoniya/ufuzzy'
import { nameRank } from './name-rank.ts'

/** A letter of any script: in Thai, Burmese and Tamil the marks above and below belong to it. */
const LETTER = '\\p{L}\\p{M}'
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: `[^${LETTER}\\d']+`,
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: `[${LETTER}\\d']`,
  intraContr: "'\\p{L}{1,2}\\b",
  // One typing error in a word: an extra, missing or wrong letter, or two swapped.
  intraMode: 1,
  intraIns: 1,
  intraSub: 1,
  intraTrn: 1,
  intraDel: 1,
})

type Searchable = { title: string; content: string; memo: string }

/**
 * Returns the entries that match the typed text, best first: title begins with it, a word of the title begins with it,
 * title contains it, content or memo contains it (also inside a sentence written without spaces), then near matches. Entries of equal rank keep their
 * order.
 */
export const fuzzyFind = <E extends Searchable>(entries: readonly E[], typed: string): readonly E[] => {
  const wanted = foldWanted(typed)
  if (wanted === '') return entries
  const titles = entries.map(({ title }) => fold(title))
  const texts = entries.map(({ title, content, memo }) => fold(`${title}\n${memo}\n${content}`))
  const near = (all: string[]) => new Set(fuzzy.filter(all, wanted))
  const [nearTitle, nearText] = [near(titles), near(texts)]
  const rank = (at: number): number => {
    const rank = nameRank(titles[at] ?? '', wanted)
    if (rank < 3) return rank
    if (texts[at]?.includes(wanted)) return 3
    if (nearTitle.has(at)) return 4
    return nearText.has(at) ? 5 : 6
  }
  return entries
    .map((entry, at) => ({ entry, rank: rank(at) }))
    .filter(({ rank: own }) => own < 6)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}
