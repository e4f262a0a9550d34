import { useDeferredValue, useMemo, useRef } from 'react'

/** Within this time (ms) filtering and rendering fit into the frame of a keystroke. */
const QUICK_MS = 8

/** The matching rows: at once if filtering is quick, else deferred, so that typing stays fluent. */
export const useFiltered = <Row>(rows: readonly Row[] | undefined, matches: ((row: Row) => boolean) | undefined) => {
  const isQuick = useRef(true)
  const deferred = useDeferredValue(matches)
  const wanted = isQuick.current ? matches : deferred
  return useMemo(() => {
    if (!rows || !wanted) return rows
    const started = performance.now()
    const found = rows.filter(wanted)
    isQuick.current = performance.now() - started < QUICK_MS
    return found
  }, [rows, wanted])
}
