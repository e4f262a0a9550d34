import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type MouseEvent, Suspense, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { inNextFrame } from '../../lib/schedule.ts'
import { Icon } from '../icon.tsx'
import { lazyPart } from '../page/lazy-part.tsx'
import type { Column, RowAction, RowsProps } from './column.ts'
import { type LongestAmount, textOf, useLongestAmounts } from './longest-amounts.ts'
import { nextOrder, type Order } from './order.ts'
import { RowActions } from './row-actions.tsx'
import { estimatedBox, scrollBox } from './scroll-box.ts'
import { makeSlots } from './slots.ts'
import { TotalsRow } from './totals-row.tsx'
import { useRowPosition } from './use-row-position.ts'
import { actionsWidth, amountWidth, columnsThatFit, leastWidth, showsTwoWords } from './widths.ts'

/** Letters with marks above and below need taller rows (--row in tokens.css). */
const heightIn = (language: string) => (/^(my|ta|th|bn)/.test(language) ? 50 : 44)
/** Rows rendered above and below the visible ones: more while scrolling, so that no gap shows. */
const OVERSCAN = 4
const SCROLLING_OVERSCAN = 10
/** Rows added per frame. */
const ROWS_PER_FRAME = 6

/** Number of rows to render: a few at first, then more with each frame. */
const useGrowing = (all: number): number => {
  const [count, setCount] = useState(ROWS_PER_FRAME)
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return
    return inNextFrame(() => setCount(count < all ? count + ROWS_PER_FRAME : Number.POSITIVE_INFINITY))
  }, [count, all])
  return count
}

const Sheet = lazyPart(async () => (await import('./sheet.tsx')).Sheet)

/** The row of a press that was not for a control in it, nor marked a part of its text. */
const pressedRow = ({ target }: MouseEvent): number | undefined => {
  if (!(target instanceof Element) || target.closest('a, button, input, label, select')) return undefined
  if (getSelection()?.type === 'Range') return undefined
  const index = target.closest('tr')?.getAttribute('data-index')
  return index ? Number(index) : undefined
}

type Props<Row> = RowsProps<Row> & { order: Order; onOrder: (order: Order) => void }

export function WideRows<Row>(props: Props<Row>) {
  const { label, rows, count, rowKey, actions, totals, order, onOrder, dense = false, opens = false } = props
  const { t, language } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<string | number>()
  const initialOffset = useRowPosition(box, label)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => heightIn(language),
    initialOffset,
    ...scrollBox(),
  })
  virtual.setOptions({ ...virtual.options, overscan: virtual.isScrolling ? SCROLLING_OVERSCAN : OVERSCAN })
  const items = virtual.getVirtualItems()
  const rendered = items.slice(0, useGrowing(items.length)).flatMap(({ index, start, end }) => {
    const row = rows[index]
    return row === undefined ? [] : [{ row, index, start, end, id: rowKey(row) }]
  })
  const boxWidth = virtual.scrollRect?.width ?? estimatedBox().width
  const amounts = useLongestAmounts(
    props.columns,
    items.flatMap(({ index }) => rows[index] ?? []),
    totals,
  )
  const { columns, widths, forActions } = useColumnsThatFit(props.columns, { actions, boxWidth, dense, amounts })
  const words = showsTwoWords(actions, dense) ? 2 : 1
  // Rows of equal height need no measuring, and there may be 50,000.
  const measure = columns.some(({ wraps }) => wraps) ? virtual.measureElement : undefined
  const [slotsOf] = useState(makeSlots)
  const ids = rendered.map(({ id }) => id)
  // A measured height belongs to its row, so measured rows keep their own key.
  const slots = measure ? ids : slotsOf(ids)
  const above = rendered[0]?.start ?? 0
  const below = virtual.getTotalSize() - (rendered.at(-1)?.end ?? 0)
  const width = widths.reduce((sum, own) => sum + own, forActions)
  const chosen = open === undefined ? undefined : rows.find((row) => rowKey(row) === open)
  const openRow = (event: MouseEvent) => {
    const row = rows[pressedRow(event) ?? -1]
    if (row !== undefined) setOpen(rowKey(row))
  }
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      ref={box}
      className="table-scroll"
      tabIndex={0}
      role="group"
      aria-label={label}
      data-rows="tbody tr:not([aria-hidden])"
    >
      <table
        className={`table ${width > boxWidth ? 'table-scrolls' : ''} ${dense ? 'table-dense' : ''}`}
        style={{ minWidth: width }}
        aria-rowcount={count + 1}
      >
        <colgroup>
          {columns.map(({ key }, at) => (
            <col key={key} style={{ width: widths[at] }} />
          ))}
          {forActions > 0 && <col style={{ width: forActions }} />}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} onOrder={onOrder} />
            ))}
            {forActions > 0 && (
              <th scope="col" className="end actions">
                <span className="visually-hidden">{t('table.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...(opens ? { 'data-opens': true, onClick: openRow, onPointerEnter: Sheet.preload } : {})}>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {rendered.map(({ row, index, id }, at) => (
            <TableRow
              key={slots[at]}
              id={id}
              row={row}
              index={index}
              columns={columns}
              actions={actions}
              measure={measure}
              words={words}
              hasIcons={!dense && words === 1}
              isOpen={id === open}
            />
          ))}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
        {totals && <TotalsRow totals={totals} columns={columns} hasActions={forActions > 0} />}
      </table>
      <Suspense>
        {chosen !== undefined && (
          <Sheet row={chosen} columns={props.columns} actions={actions} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </div>
  )
}

/** The columns that the table has room for, with widths that are never less than their words need in this language. */
function useColumnsThatFit<Row>(
  all: readonly Column<Row>[],
  column: {
    actions: readonly RowAction<Row>[]
    boxWidth: number
    dense: boolean
    amounts: ReadonlyMap<string, LongestAmount>
  },
) {
  const { actions, boxWidth, dense, amounts } = column
  const { language } = useWords()
  const needed = useMemo(
    () =>
      all.map(({ key, title, width, sort, chips = [], texts = [] }, at) => {
        const first = at === 0
        const amount = amounts.get(key)
        return Math.max(
          width,
          leastWidth({ title, sorts: sort !== undefined, chips, texts, language, dense, first }),
          amount ? amountWidth(textOf(amount), { dense, first }) : 0,
        )
      }),
    [all, language, dense, amounts],
  )
  const forActions = useMemo(() => actionsWidth(actions, dense), [actions, dense])
  // As a text: the rows render again only when other columns fit, not with each pixel of the window.
  const fit = columnsThatFit(all, needed, boxWidth - forActions).join(' ')
  return useMemo(() => {
    const shown = fit.split(' ').map(Number)
    return {
      columns: shown.flatMap((at) => all[at] ?? []),
      widths: shown.map((at) => needed[at] ?? 0),
      forActions,
    }
  }, [all, needed, forActions, fit])
}

type HeadProps<Row> = { column: Column<Row>; order: Order; onOrder: (order: Order) => void }

function Head<Row>({ column, order, onOrder }: HeadProps<Row>) {
  const { key, title, align, sort } = column
  const way = order?.key !== key ? 'none' : order.down ? 'descending' : 'ascending'
  return (
    <th scope="col" className={align} {...(sort ? { 'aria-sort': way } : {})}>
      {sort ? (
        <button type="button" className={`sort sort-${way}`} onClick={() => onOrder(nextOrder(order, key))}>
          {title}
          <Icon name="up" size={13} />
        </button>
      ) : (
        title
      )}
    </th>
  )
}

/** Moves the focus to the table when this element is reused for another row: the next key must not act on that row. */
const useReleaseFocus = (id: string | number) => {
  const line = useRef<HTMLTableRowElement>(null)
  useLayoutEffect(() => {
    const { current } = line
    return () => {
      if (!current?.contains(document.activeElement)) return
      current.closest<HTMLElement>('.table-scroll')?.focus({ preventScroll: true })
    }
  }, [id])
  return line
}

type TableRowProps<Row> = {
  id: string | number
  row: Row
  index: number
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
  measure: ((row: HTMLTableRowElement | null) => void) | undefined
  words: 1 | 2
  hasIcons: boolean
  isOpen: boolean
}

function EachRow<Row>(props: TableRowProps<Row>) {
  const { id, row, index, columns, actions, measure, words, hasIcons, isOpen } = props
  const line = useReleaseFocus(id)
  // The buttons of all rows have the same words: this cell tells them apart.
  const nameId = useId()
  const named = columns.find(({ small }) => small === 'head') ?? columns[0]
  return (
    <tr
      ref={measure ?? line}
      data-index={index}
      data-row={id}
      data-open={isOpen || undefined}
      aria-rowindex={index + 2}
    >
      {columns.map((column) => {
        const { key, align, wraps, twoLines, cell } = column
        return (
          <td
            key={key}
            id={column === named ? nameId : undefined}
            className={wraps ? 'wraps' : twoLines ? 'two-lines' : align}
          >
            {cell(row)}
          </td>
        )
      })}
      {actions.length > 0 && (
        <td className="end actions">
          <RowActions row={row} actions={actions} words={words} hasIcons={hasIcons} nameId={nameId} />
        </td>
      )}
    </tr>
  )
}

/** Memoized: renders again only when its row changes, not on each scroll step. */
const TableRow = memo(EachRow) as typeof EachRow
