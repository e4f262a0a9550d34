import type { WordKey } from '@tallyroom/locales'

/** What a transfer is called, and which way its points went from the member's side where that can be said. */
const kinds: Record<number, { word: WordKey; way?: 'in' | 'out' }> = {
  1: { word: 'transfer.kind_in', way: 'in' },
  2: { word: 'transfer.kind_out', way: 'out' },
  3: { word: 'transfer.kind_gift', way: 'in' },
  4: { word: 'transfer.kind_make_up', way: 'in' },
  5: { word: 'transfer.kind_game_in', way: 'in' },
  6: { word: 'transfer.kind_game_out', way: 'out' },
  7: { word: 'transfer.kind_to_game' },
  8: { word: 'transfer.kind_bet', way: 'out' },
  9: { word: 'transfer.kind_win', way: 'in' },
  10: { word: 'transfer.kind_correction' },
}

/** A correction goes the other way than what it takes back. */
export const wayOf = ({ type, corrects_type }: { type: number; corrects_type: number | null }) => {
  if (corrects_type === null) return kinds[type]?.way
  const before = kinds[corrects_type]?.way
  return before && (before === 'in' ? 'out' : 'in')
}

export const kindWord = (type: number): WordKey => kinds[type]?.word ?? 'transfer.kind_other'
