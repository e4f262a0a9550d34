import type { Points } from '@tallyroom/contract/points'
import { useEffect, useMemo, useState } from 'react'
import { inNextTask } from '../../lib/schedule.ts'
import type { Column, Totals } from './column.ts'

/** This many rows take a few milliseconds. */
const SLICE = 2000

/** Adds up rows column by column, from one row to another. */
const addUp = <Row>(sums: Record<string, Points>, rows: readonly Row[], columns: readonly Column<Row>[]) => {
  for (const { key, sum } of columns) {
    if (!sum) continue
    let own = sums[key] ?? 0n
    for (const row of rows) own += sum(row) ?? 0n
    sums[key] = own
  }
  return sums
}

/**
 * The sums of the rows that are found. Without a filter they are the server's, which knows also the rows beyond the ones
 * it has sent; a filter of the browser finds all of its rows only in a list that was sent whole.
 */
export const useTotals = <Row>(
  all: Totals | undefined,
  rows: readonly Row[] | undefined,
  found: readonly Row[] | undefined,
  columns: readonly Column<Row>[],
): Totals | undefined => {
  const isNarrowed = found !== rows
  const isKnown = all !== undefined && rows?.length === all.count
  const wanted = isNarrowed && isKnown ? found : undefined
  const atOnce = useMemo(
    () => (wanted && wanted.length <= SLICE ? addUp({}, wanted, columns) : undefined),
    [wanted, columns],
  )
  const [later, setLater] = useState<{ of: readonly Row[]; sums: Record<string, Points> }>()
  // In pieces: adding up 50,000 rows in one go would delay the next letter of the filter.
  useEffect(() => {
    if (!wanted || wanted.length <= SLICE) return
    let isOver = false
    const sums: Record<string, Points> = {}
    const addFrom = (at: number) => {
      if (isOver) return
      addUp(sums, wanted.slice(at, at + SLICE), columns)
      if (at + SLICE >= wanted.length) setLater({ of: wanted, sums })
      else inNextTask(() => addFrom(at + SLICE))
    }
    inNextTask(() => addFrom(0))
    return () => {
      isOver = true
    }
  }, [wanted, columns])
  return useMemo(() => {
    if (!all || !isNarrowed) return all
    const sums = atOnce ?? (later?.of === wanted ? later?.sums : {})
    return wanted && { count: wanted.length, sums: sums ?? {} }
  }, [all, isNarrowed, wanted, atOnce, later])
}
