import type { RoomSummary } from '@tallyroom/contract/events'
import { useCallback, useMemo, useRef, useState } from 'react'
import { isMasked } from '../../../domain/masked.ts'
import type { Filter } from '../state/filter.ts'
import type { BulkTarget } from './bulk.ts'

/** The selected rooms, or all that match, including rooms that start to match later. */
export const useSelection = (shown: readonly RoomSummary[]) => {
  const [some, setSome] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  /** The row that was chosen last: a range begins at it. */
  const anchor = useRef<string>(undefined)
  const selected = useMemo(() => (all ? shown : shown.filter(({ code }) => some.has(code))), [all, shown, some])
  const select = useCallback(
    (codes: readonly string[], on: boolean) => {
      setAll(false)
      setSome((now) => {
        const next = new Set(all ? shown.map((room) => room.code) : now)
        for (const code of codes) {
          if (on) next.add(code)
          else next.delete(code)
        }
        return next
      })
    },
    [all, shown],
  )
  const clear = () => {
    setAll(false)
    setSome(new Set())
    anchor.current = undefined
  }
  const isSelected = (code: string) => all || some.has(code)
  /** `isRange`: with all rows between this one and the last one that was chosen. */
  const toggle = (code: string, isRange: boolean) => {
    const [from, to] = [anchor.current, code].map((wanted) => shown.findIndex((room) => room.code === wanted))
    const isOn = !isSelected(code)
    anchor.current = code
    if (!isRange || from === undefined || to === undefined || from < 0 || to < 0) return select([code], isOn)
    select(
      shown.slice(Math.min(from, to), Math.max(from, to) + 1).map((room) => room.code),
      true,
    )
  }
  return {
    selected,
    isAll: all || (shown.length > 0 && selected.length === shown.length),
    isSelected,
    toggle,
    selectAll: (on: boolean) => (on ? setAll(true) : clear()),
    clear,
    /** Sent to the server: the filter itself, if the server's search by name finds the same rooms. */
    target: (filter: Filter & { status: 1 | 2 }): BulkTarget => {
      const sees = !filter.text.trim() || !shown.some((room) => isMasked(room.username))
      return all && sees ? { filter } : { codes: selected.map(({ code }) => code) }
    },
  }
}
