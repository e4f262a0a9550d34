import uFuzzy from '@leeoniya/ufuzzy'

/** Of every script: in Thai, Burmese and Tamil the marks above and below belong to the letters. */
const LETTER = '\\p{L}\\p{M}'
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: `[^${LETTER}\\d']+`,
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: `[${LETTER}\\d']`,
  intraContr: "'\\p{L}{1,2}\\b",
  // One slip of the finger in a word: a letter too many, too few, another, or two the wrong way round.
  intraMode: 1,
  intraIns: 1,
  intraSub: 1,
  intraTrn: 1,
  intraDel: 1,
})

type Reply = { title: string; content: string; memo: string }

/** In small letters, those of Latin without their accents: "cam on" finds "Cảm ơn". Marks of other scripts are letters. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll('đ', 'd')

/**
 * The quick replies that fit what somebody types, best first: those whose title begins with it, then those that hold it
 * anywhere (inside of a sentence without spaces too), then those that nearly do. Equals keep their order.
 */
export const find = <R extends Reply>(replies: readonly R[], typed: string): readonly R[] => {
  const wanted = plain(typed.trim())
  if (wanted === '') return replies
  const titles = replies.map(({ title }) => plain(title))
  const texts = replies.map(({ title, content, memo }) => plain(`${title}\n${memo}\n${content}`))
  const near = (all: string[]) => new Set(fuzzy.filter(all, wanted))
  const [nearTitle, nearText] = [near(titles), near(texts)]
  const rank = (at: number): number => {
    const place = titles[at]?.indexOf(wanted) ?? -1
    if (place === 0) return 0
    if (place > 0) return 1
    if (texts[at]?.includes(wanted)) return 2
    if (nearTitle.has(at)) return 3
    return nearText.has(at) ? 4 : 5
  }
  return replies
    .map((reply, at) => ({ reply, rank: rank(at) }))
    .filter(({ rank: own }) => own < 5)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ reply }) => reply)
}
