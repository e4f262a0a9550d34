import { type Points, parsePoints } from '@tallyroom/contract/points'

/** The Points of an answer's text; "0" for what is none. */
export const pointsOf = (text: string): Points => parsePoints(text) ?? 0n
