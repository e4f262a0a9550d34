import { type KeyboardEvent, type RefObject, useEffect } from 'react'

/** The entry that Enter chooses, for what is typed: it stays the same one when the list changes below the hand. */
export type Marked = { wanted: string; id: number } | undefined
type Entry = { id: number }

export const useMarked = (
  found: readonly Entry[],
  wanted: string,
  [marked, setMarked]: [Marked, (next: Marked) => void],
) => {
  const mark = (at: number) => setMarked(found[at] && { wanted, id: found[at].id })
  const current = found.findIndex(({ id }) => id === marked?.id)
  if (found.length > 0 && (current < 0 || marked?.wanted !== wanted)) mark(0)
  if (found.length === 0 && marked) setMarked(undefined)
  return { current, mark }
}

/** Lets a screen reader announce the active entry, `option`, while the focus is in the text box. */
export const useActiveOption = (box: RefObject<HTMLElement | null>, list: string, option: string | undefined) =>
  useEffect(() => {
    const element = box.current
    if (!element || !option) return
    element.setAttribute('aria-autocomplete', 'list')
    element.setAttribute('aria-controls', list)
    element.setAttribute('aria-activedescendant', option)
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) element.removeAttribute(name)
    }
  }, [box, list, option])

type Pick<E extends Entry> = {
  found: readonly E[]
  current: number
  mark: (at: number) => void
  choose: (entry: E) => void
  close: () => void
  /** In a search field of the list, Tab goes to its buttons. */
  takesTab: boolean
}

/** The keys of an open list: arrows mark, Enter and Tab choose, Escape closes. @returns whether the key was one of them */
export const pickKeys = <E extends Entry>(
  event: KeyboardEvent,
  { found, current, mark, choose, close, takesTab }: Pick<E>,
): boolean => {
  const entry = found[current]
  const actions: Record<string, (() => void) | false> = {
    Escape: close,
    ArrowDown: found.length > 0 && (() => mark((current + 1) % found.length)),
    ArrowUp: found.length > 0 && (() => mark((current + found.length - 1) % found.length)),
    Enter: !event.shiftKey && entry !== undefined && (() => choose(entry)),
    Tab: takesTab && !event.shiftKey && entry !== undefined && (() => choose(entry)),
  }
  const action = actions[event.key]
  if (!action) return false
  event.preventDefault()
  action()
  return true
}
