import type { Gray } from './gray.ts'
import { correlate } from './sums.ts'

/** About two or three letters of a slip. */
const BLOCK = { width: 20, height: 12 }
/** A lens bends a picture by so many pixels. */
const BENT = 2
/** Letters that are the same agree better than this, also in a photo of a screen; other digits worse (proofs/slips). */
const AGREES = 0.6
/** So many pieces of a copy may be spoiled: by a reflection, a finger, or an arrow that somebody drew. */
const MAX_OTHERS = 3
/** Fewer pieces with something in them are no slip, but an empty sheet or a sky. */
const LEAST_PIECES = 40
const LEAST_OVERLAP = 0.6
/** Less of the spread of the whole picture is paper, and so much is the noise of a camera. */
const LEAST_SPREAD = 0.06
const NOISE = 0.01

/** Whether two pictures in one frame show the same slip: nearly each piece of text of one is in the other too. */
export const isSameSlip = (one: Gray, other: Gray): boolean => {
  const { width, height } = one
  if (other.width !== width || other.height !== height) return false
  const spread = spreadOf(one)
  let others = 0
  let pieces = 0
  let inside = 0
  let all = 0
  for (let y = BENT; y + BLOCK.height + BENT <= height; y += BLOCK.height / 2)
    for (let x = BENT; x + BLOCK.width + BENT <= width; x += BLOCK.width / 2) {
      all++
      const at = y * width + x
      const here = comparePiece(one, other, at, at, spread)
      if (!here) continue
      inside++
      if (Math.max(here.spreads[0], here.spreads[1]) < LEAST_SPREAD * spread) continue
      pieces++
      if (here.fit < AGREES && !agreesNear(one, other, at, spread)) others++
      if (others > MAX_OTHERS) return false
    }
  return pieces >= LEAST_PIECES && inside >= LEAST_OVERLAP * all
}

const agreesNear = (one: Gray, other: Gray, at: number, spread: number): boolean => {
  for (let down = -BENT; down <= BENT; down++)
    for (let across = -BENT; across <= BENT; across++) {
      const found = comparePiece(one, other, at, at + down * one.width + across, spread)
      if (found && found.fit >= AGREES) return true
    }
  return false
}

/** A piece of one picture, which begins at a place of it, and of the other; undefined when one has nothing there. */
const comparePiece = (one: Gray, other: Gray, at: number, otherAt: number, spread: number) => {
  const sums = { n: BLOCK.width * BLOCK.height, s: 0, t: 0, ss: 0, tt: 0, st: 0 }
  for (let y = 0; y < BLOCK.height; y++)
    for (let x = 0; x < BLOCK.width; x++) {
      const p = one.data[at + y * one.width + x]!
      const q = other.data[otherAt + y * one.width + x]!
      sums.s += p
      sums.t += q
      sums.ss += p * p
      sums.tt += q * q
      sums.st += p * q
    }
  return sums.st === sums.st ? correlate(sums, (NOISE * spread) ** 2 + 1) : undefined
}

const spreadOf = ({ data }: Gray): number => {
  const sums = { n: 0, s: 0, t: 0, ss: 0, tt: 0, st: 0 }
  for (const gray of data)
    if (gray === gray) {
      sums.n++
      sums.s += gray
      sums.ss += gray * gray
    }
  return correlate(sums).spreads[0]
}
