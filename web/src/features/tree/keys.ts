import { fold } from '@tallyroom/contract/text/fold'
import { accountKey, isOpenable, type Layout, type Line, lineAt, membersKey } from './layout.ts'

export type Move = { to: number } | { toggle: string; isOpen: boolean } | undefined

/** The key under which a line is opened; undefined where nothing is below it. */
export const openKey = (line: Line): string | undefined => {
  if (line.kind === 'members') return membersKey(line.parent.id)
  return line.kind === 'account' && isOpenable(line.row) ? accountKey(line.row.id) : undefined
}

/** What a key does in the tree: the keys of a treegrid (WAI-ARIA Authoring Practices). */
export const moveBy = (key: string, { layout, active, isOpen, rowsOnScreen }: MoveContext): Move => {
  const to = (index: number) => ({ to: Math.max(0, Math.min(layout.count - 1, index)) })
  const line = lineAt(layout, active)
  const own = line && openKey(line)
  const opened = own !== undefined && isOpen(own)
  switch (key) {
    case 'ArrowDown':
      return to(active + 1)
    case 'ArrowUp':
      return to(active - 1)
    case 'PageDown':
      return to(active + rowsOnScreen)
    case 'PageUp':
      return to(active - rowsOnScreen)
    case 'Home':
      return to(0)
    case 'End':
      return to(layout.count - 1)
    case 'ArrowRight':
      if (own === undefined) return undefined
      return opened ? to(active + 1) : { toggle: own, isOpen: true }
    case 'ArrowLeft':
      if (own !== undefined && opened) return { toggle: own, isOpen: false }
      return line && line.parentLine >= 0 ? to(line.parentLine) : undefined
    default:
      return undefined
  }
}
type MoveContext = { layout: Layout; active: number; isOpen: (key: string) => boolean; rowsOnScreen: number }

/** Letters typed within this time (ms) of each other are one word. */
const WORD_MS = 700

/** Type ahead: finds the next loaded line whose name begins with the letters typed in a row. */
export const makeTypeAhead = (nameOf: (line: Line) => string) => {
  let typed = ''
  let last = Number.NEGATIVE_INFINITY
  return (layout: Layout, active: number, { key, timeStamp }: { key: string; timeStamp: number }): number => {
    typed = timeStamp - last < WORD_MS ? typed + key : key
    last = timeStamp
    const wanted = fold(typed)
    // The same letter again and again goes from one name to the next.
    const isRepeated = wanted === (wanted[0] ?? '').repeat(wanted.length)
    const start = typed.length === 1 || isRepeated ? 1 : 0
    for (let step = start; step <= layout.count; step++) {
      const index = (active + step) % layout.count
      const line = lineAt(layout, index)
      if (!line) continue
      const name = fold(nameOf(line))
      if (name.startsWith(wanted) || (isRepeated && name.startsWith(wanted[0] ?? ''))) return index
    }
    return -1
  }
}
