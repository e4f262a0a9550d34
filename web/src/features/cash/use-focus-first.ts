import { useEffect, useRef } from 'react'
import { isFocusFree } from '../../ui/keyboard/keep-focus.ts'

/**
 * The oldest entry of a queue is one key away when the page opens, and when the one before it has ended. @returns the ref
 * of its table, whose rows have a button with `data-open`
 */
export const useFocusFirst = (isClosed: boolean, first: string | number | undefined) => {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    if (!isClosed || first === undefined) return
    // After the drawer has given the focus back, if what had it is still there.
    const timer = setTimeout(() => {
      if (isFocusFree()) table.current?.querySelector<HTMLElement>('[data-open]')?.focus()
    })
    return () => clearTimeout(timer)
  }, [isClosed, first])
  return table
}
