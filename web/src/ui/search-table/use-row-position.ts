import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { nameOfEntry } from '../../adapters/router-history.ts'
import { inNextTask } from '../../lib/schedule.ts'
import { isFocusFree } from '../keyboard/keep-focus.ts'

/** Where a list was left: its scroll offset, and the row that had the focus. */
type RowPosition = { offset: number; row: string | undefined }
const top: RowPosition = { offset: 0, row: undefined }

/** By entry of the browser's history and list. */
const positions = new Map<string, RowPosition>()
const MAX_POSITIONS = 50
const entryNow = () => nameOfEntry(window.history.state) ?? ''

const keep = (key: string, position: RowPosition) => {
  positions.set(key, position)
  const [oldest] = positions.keys()
  if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest)
}

/**
 * Shows a list again where it was left, after the way back from another page: returns the offset for its virtualizer, and
 * gives the focus to the row (an element with `data-row`) that had it.
 */
export const useRowPosition = (box: RefObject<HTMLElement | null>, label: string) => {
  const [{ offset, row }] = useState(() => positions.get(`${entryNow()} ${label}`) ?? top)
  const wanted = useRef(row)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const found = box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted.current)}"]`)
    if (!found) return
    wanted.current = undefined
    const target =
      found.querySelector<HTMLElement>('[data-open]') ?? found.querySelector<HTMLElement>('a[href], button')
    if (isFocusFree()) target?.focus({ preventScroll: true })
  })
  useLayoutEffect(() => {
    const list = box.current
    if (!list) return
    const now = { entry: entryNow(), position: { offset, row } }
    positions.delete(`${now.entry} ${label}`)
    const keepIfLeft = () => {
      if (now.entry === entryNow()) return
      keep(`${now.entry} ${label}`, now.position)
      now.entry = entryNow()
    }
    const update = (part: Partial<RowPosition>) => {
      keepIfLeft()
      now.position = { ...now.position, ...part }
    }
    const onScroll = () => update({ offset: list.scrollTop })
    const onFocus = ({ target }: FocusEvent) => {
      wanted.current = undefined
      update({ row: (target as Element).closest<HTMLElement>('[data-row]')?.dataset.row })
    }
    list.addEventListener('scroll', onScroll, { passive: true })
    list.addEventListener('focusin', onFocus)
    return () => {
      list.removeEventListener('scroll', onScroll)
      list.removeEventListener('focusin', onFocus)
      // The router changes the address after it has removed the page.
      inNextTask(keepIfLeft)
    }
  }, [box, label, offset, row])
  return offset
}
