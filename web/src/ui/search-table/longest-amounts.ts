import { type Points, showPoints } from '@tallyroom/contract/points'
import { useState } from 'react'
import type { Column, Totals } from './column.ts'

/** The amount of a column that needs the most room: the largest, and whether any has more than two decimals. */
export type LongestAmount = { points: Points; isExact: boolean }

export const textOf = ({ points, isExact }: LongestAmount) => `+${showPoints(points)}${isExact ? '00' : ''}`

/**
 * The longest amount of each column, of the rows that have been in view: a column grows while scrolling and never shrinks.
 * An amount that is cut reads as a smaller one. All rows are not looked at, since there may be 50,000.
 */
export function useLongestAmounts<Row>(
  columns: readonly Column<Row>[],
  inView: readonly Row[],
  totals: Totals | undefined,
): ReadonlyMap<string, LongestAmount> {
  const [longest, setLongest] = useState<ReadonlyMap<string, LongestAmount>>(new Map())
  const found = new Map(longest)
  for (const { key, amount } of columns) {
    if (!amount) continue
    for (const signed of [totals?.sums[key], ...inView.map(amount)]) {
      if (signed === undefined) continue
      const points = signed < 0n ? -signed : signed
      const isExact = points % 100n !== 0n
      const known = found.get(key)
      if (known && known.points >= points && (known.isExact || !isExact)) continue
      found.set(key, {
        points: known && known.points > points ? known.points : points,
        isExact: isExact || (known?.isExact ?? false),
      })
    }
  }
  const hasGrown = [...found].some(([key, amount]) => amount !== longest.get(key))
  if (hasGrown) setLongest(found)
  return hasGrown ? found : longest
}
