import { useDeferredValue, useMemo, useRef } from 'react'

/** A filter that takes no longer leaves time for the rows in the frame of its letter. */
const QUICK_MS = 8

/** The rows that match: at once where that is quick, else as soon as there is time, for typing goes first. */
export const useFound = <Row>(rows: readonly Row[] | undefined, matches: ((row: Row) => boolean) | undefined) => {
  const isQuick = useRef(true)
  const deferred = useDeferredValue(matches)
  const wanted = isQuick.current ? matches : deferred
  return useMemo(() => {
    if (!rows || !wanted) return rows
    const began = performance.now()
    const found = rows.filter(wanted)
    isQuick.current = performance.now() - began < QUICK_MS
    return found
  }, [rows, wanted])
}
