import { type Points, parsePoints } from '@tallyroom/contract/points'

/** Parses an amount from the server; 0 if it is not one. */
export const pointsOf = (text: string): Points => parsePoints(text) ?? 0n
