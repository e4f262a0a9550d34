import { useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { nameOf } from '../../ui/person.tsx'
import { scrollBox } from '../../ui/search-table/scroll-box.ts'
import { useMedia } from '../../ui/use-media.ts'
import { makeTypeAhead, moveBy, openKey } from './keys.ts'
import { type Line, lineAt, type TreeColumn } from './layout.ts'
import type { Tree } from './store.ts'
import { TreeLine } from './tree-line.tsx'
import { useLayout } from './use-tree.ts'

/** Height of a line. Letters with marks above and below need taller ones, and so does a finger. */
const heightOf = (language: string, small: boolean) => (small ? 64 : /^(my|ta|th|bn)/.test(language) ? 50 : 46)
/** Height of the row of titles, which stays above the lines. */
const HEAD = 38
const OVERSCAN = 6

type Props = {
  label: string
  tree: Tree
  /** The line that has or gets the focus. */
  active: number
  onActive: (index: number) => void
  /** A line has the focus already. */
  onFocused: (index: number) => void
  /** Counts up when the focus is to go to the active line, from outside of the grid. */
  focusAsked: number
  selected: number | undefined
  onSelect: (line: Line) => void
}

/** TREE-01: the rows of the tree, of which only those on the screen are drawn and loaded. */
export const TreeGrid = ({ label, tree, active, onActive, onFocused, focusAsked, selected, onSelect }: Props) => {
  const { t, language } = useWords()
  const small = useMedia('(max-width: 767px)')
  const layout = useLayout(tree)
  const box = useRef<HTMLDivElement>(null)
  const height = heightOf(language, small)
  const virtual = useVirtualizer({
    count: layout.count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    ...scrollBox(),
    overscan: OVERSCAN,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
    // The active line stays in the page when it is scrolled away: it keeps the focus.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan)
      const drawn = Array.from({ length: Math.min(count, endIndex + overscan + 1) - from }, (_, n) => from + n)
      return active < count && !drawn.includes(active) ? [...drawn, active].sort((a, b) => a - b) : drawn
    },
  })
  useLayoutEffect(() => virtual.measure(), [virtual, height])
  const lines = virtual.getVirtualItems().flatMap(({ index, start }) => {
    const line = lineAt(layout, index)
    return line ? [{ index, start, line }] : []
  })
  useEffect(() => {
    // Known lines too: after a change they are loaded again.
    for (const { line } of lines) if (line.kind !== 'members' && line.list) tree.want(line.list, line.at)
  })
  const wantsFocus = useRef(0)
  useLayoutEffect(() => {
    if (wantsFocus.current === focusAsked) return
    const row = box.current?.querySelector<HTMLElement>(`[data-line="${active}"]`)
    if (!row) return virtual.scrollToIndex(active, { align: 'auto' })
    wantsFocus.current = focusAsked
    virtual.scrollToIndex(active, { align: 'auto' })
    row.focus({ preventScroll: true })
  })
  const [typeAhead] = useState(() => makeTypeAhead(nameIn))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const rowsOnScreen = Math.max(1, Math.floor((box.current?.clientHeight ?? height) / height) - 2)
    const line = lineAt(layout, active)
    const move = moveBy(event.key, { layout, active, isOpen: tree.isOpen, rowsOnScreen })
    if (event.key === 'Enter' && line) onSelect(line)
    else if (move && 'toggle' in move) tree.toggle(move.toggle, move.isOpen)
    else if (move) onActive(move.to)
    else if (event.key.length === 1 && event.key !== ' ') {
      const found = typeAhead(layout, active, event)
      if (found >= 0) onActive(found)
    } else return
    event.preventDefault()
  }
  // Screen readers and the pointer move the focus without the keys above. Without this, Enter would open another line.
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const index = Number(target.closest<HTMLElement>('[data-line]')?.dataset.line ?? active)
    if (index !== active) onFocused(index)
  }
  const toggle = (line: Line, index: number) => {
    const key = openKey(line)
    if (key === undefined) return
    onActive(index)
    tree.toggle(key, !tree.isOpen(key))
  }
  const columns = small ? narrow : wide
  const titles = {
    account: t('account.account'),
    role: t('tree.role'),
    balance: t('shell.balance'),
    credit: t('account.limit_of_credit'),
    below: t('tree.below'),
  }
  return (
    <div
      ref={box}
      className="table-scroll tree-scroll"
      data-rows="[data-line][tabindex='0']"
      role="treegrid"
      aria-label={label}
      aria-rowcount={layout.count + 1}
      aria-readonly="true"
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <div role="rowgroup">
        <div role="row" className="tree-line tree-head" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column} role="columnheader" className={`tree-cell tree-${column}`}>
              {titles[column]}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="tree-lines" style={{ height: virtual.getTotalSize() }}>
        {lines.map(({ index, start, line }) => (
          <TreeLine
            // The key is the place: the line with the focus keeps it when its row arrives.
            key={index}
            line={line}
            index={index}
            top={start - HEAD}
            height={height}
            columns={columns}
            active={index === active}
            selected={line.kind === 'account' && line.row.id === selected}
            isOpen={tree.isOpen(openKey(line) ?? '')}
            onToggle={() => toggle(line, index)}
            onPress={() => {
              onActive(index)
              onSelect(line)
            }}
          />
        ))}
      </div>
    </div>
  )
}

const wide: readonly TreeColumn[] = ['account', 'role', 'balance', 'credit', 'below']
const narrow: readonly TreeColumn[] = ['account', 'balance']

const nameIn = (line: Line): string => (line.kind === 'account' ? nameOf(line.row) : '')
