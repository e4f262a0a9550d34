import { elementScroll, useVirtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { inNextFrame } from '../../lib/schedule.ts'
import { Icon } from '../icon.tsx'
import type { Column, RowAction, RowsProps } from './column.ts'
import { nextOrder, type Order } from './order.ts'
import { makeSlots } from './slots.ts'

const HEIGHT = 44
/** Rows rendered above and below the visible ones: more while scrolling, so that no gap shows. */
const OVERSCAN = 4
const SCROLLING_OVERSCAN = 10
const ACTION_WIDTH = 36
/** Rows added per frame. */
const ROWS_PER_FRAME = 6
/** Space for the column's title in every language. */
const MIN_ACTIONS_WIDTH = 120

type Box = VirtualizerOptions<HTMLDivElement, Element>
/** Estimated size of the scroll box, for the first render. */
const estimatedBox = () => ({ width: innerWidth, height: innerHeight - 220 })
/** Reports the size after layout: measuring earlier would lay out the page twice. */
const observeRect: Box['observeElementRect'] = ({ scrollElement }, report) => {
  if (!scrollElement) return
  const observer = new ResizeObserver(([entry]) => entry && report(entry.contentRect))
  observer.observe(scrollElement)
  return () => observer.disconnect()
}
/** Skips scrolling to 0 when nothing was scrolled: it would force a layout. */
const scrollTo: Box['scrollToFn'] = (offset, options, box) => {
  if (offset || box.scrollOffset) elementScroll(offset, options, box)
}

/** Number of rows to render: a few at first, then more with each frame. */
const useGrowing = (all: number): number => {
  const [count, setCount] = useState(ROWS_PER_FRAME)
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return
    return inNextFrame(() => setCount(count < all ? count + ROWS_PER_FRAME : Number.POSITIVE_INFINITY))
  }, [count, all])
  return count
}

type Props<Row> = RowsProps<Row> & { order: Order; onOrder: (order: Order) => void }

export function WideRows<Row>({ label, rows, rowKey, columns, actions, order, onOrder }: Props<Row>) {
  const { t } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    initialRect: estimatedBox(),
    observeElementRect: observeRect,
    scrollToFn: scrollTo,
  })
  virtual.setOptions({ ...virtual.options, overscan: virtual.isScrolling ? SCROLLING_OVERSCAN : OVERSCAN })
  const items = virtual.getVirtualItems()
  const rendered = items.slice(0, useGrowing(items.length)).flatMap(({ index, start, end }) => {
    const row = rows[index]
    return row === undefined ? [] : [{ row, index, start, end, id: rowKey(row) }]
  })
  // Rows of equal height need no measuring, and there may be 50,000.
  const measure = columns.some(({ wraps }) => wraps) ? virtual.measureElement : undefined
  const [slotsOf] = useState(makeSlots)
  const ids = rendered.map(({ id }) => id)
  // A measured height belongs to its row, so measured rows keep their own key.
  const slots = measure ? ids : slotsOf(ids)
  const above = rendered[0]?.start ?? 0
  const below = virtual.getTotalSize() - (rendered.at(-1)?.end ?? 0)
  const actionsWidth = actions.length ? Math.max(MIN_ACTIONS_WIDTH, actions.length * ACTION_WIDTH + 24) : 0
  const width = columns.reduce((sum, column) => sum + column.width, actionsWidth)
  return (
    // Focusable, so that the keyboard can scroll it.
    <div ref={box} className="table-scroll" tabIndex={0} role="group" aria-label={label}>
      <table className="table" style={{ minWidth: width }} aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map(({ key, width: own }) => (
            <col key={key} style={{ width: own }} />
          ))}
          {actionsWidth > 0 && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} onOrder={onOrder} />
            ))}
            {actionsWidth > 0 && (
              <th scope="col" className="end actions">
                {t('table.actions')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {rendered.map(({ row, index, id }, at) => (
            <TableRow
              key={slots[at]}
              id={id}
              row={row}
              index={index}
              columns={columns as never}
              actions={actions as never}
              measure={measure}
            />
          ))}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  )
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

/**
 * When a focused button disappears (such as "freeze" once it is done), moves the focus to the next button, else to the
 * table.
 */
const passFocusOn = (button: HTMLButtonElement | null) => () => {
  if (button !== document.activeElement) return
  const near = button?.previousElementSibling ?? button?.nextElementSibling ?? button?.closest('.table-scroll')
  if (near instanceof HTMLElement) near.focus({ preventScroll: true })
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
}

/** Memoized: renders again only when its row changes, not on each scroll step. */
const TableRow = memo(function TableRow<Row>({ id, row, index, columns, actions, measure }: TableRowProps<Row>) {
  const line = useReleaseFocus(id)
  return (
    <tr ref={measure ?? line} data-index={index} aria-rowindex={index + 2}>
      {columns.map(({ key, align, wraps, cell }) => (
        <td key={key} className={wraps ? 'wraps' : align}>
          {cell(row)}
        </td>
      ))}
      {actions.length > 0 && (
        <td className="end actions">
          {actions.map(
            (action) =>
              !action.hidden?.(row) && (
                <button
                  key={action.key}
                  ref={passFocusOn}
                  type="button"
                  className={`icon-button ${action.danger ? 'icon-danger' : ''}`}
                  aria-label={action.label}
                  data-tip={action.label}
                  onClick={() => action.onSelect(row)}
                >
                  <Icon name={action.icon} />
                </button>
              ),
          )}
        </td>
      )}
    </tr>
  )
})
