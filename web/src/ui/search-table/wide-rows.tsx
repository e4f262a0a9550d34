import { elementScroll, useVirtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { inNextFrame } from '../../lib/schedule.ts'
import { Icon } from '../icon.tsx'
import type { Column, RowAction, RowsProps } from './column.ts'
import { nextOrder, type Order } from './order.ts'
import { makeSlots } from './slots.ts'

const HEIGHT = 44
/** Rows drawn above and below what is seen: while it moves, so many that no gap is. */
const AT_REST = 4
const MOVING = 10
const ACTION = 36
/** Rows of one frame. */
const STEP = 6
/** The column's title needs room in every language. */
const ACTIONS_LEAST = 120

type Box = VirtualizerOptions<HTMLDivElement, Element>
/** About what the frame leaves of the window. */
const aboutBox = () => ({ width: innerWidth, height: innerHeight - 220 })
/** Told once it is laid out: to look before would lay out the page twice. */
const observeRect: Box['observeElementRect'] = ({ scrollElement }, tell) => {
  if (!scrollElement) return
  const observer = new ResizeObserver(([entry]) => entry && tell(entry.contentRect))
  observer.observe(scrollElement)
  return () => observer.disconnect()
}
/** What has not been scrolled is at its beginning without being told. */
const scrollTo: Box['scrollToFn'] = (offset, options, box) => {
  if (offset || box.scrollOffset) elementScroll(offset, options, box)
}

/** How many rows are drawn: a few at once, then more with each frame. */
const useGrowing = (all: number): number => {
  const [count, setCount] = useState(STEP)
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return
    return inNextFrame(() => setCount(count < all ? count + STEP : Number.POSITIVE_INFINITY))
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
    initialRect: aboutBox(),
    observeElementRect: observeRect,
    scrollToFn: scrollTo,
  })
  virtual.setOptions({ ...virtual.options, overscan: virtual.isScrolling ? MOVING : AT_REST })
  const items = virtual.getVirtualItems()
  const seen = items.slice(0, useGrowing(items.length)).flatMap(({ index, start, end }) => {
    const row = rows[index]
    return row === undefined ? [] : [{ row, index, start, end, id: rowKey(row) }]
  })
  // Rows of one height need no measuring, and there may be 50,000.
  const measure = columns.some(({ wraps }) => wraps) ? virtual.measureElement : undefined
  const [placesOf] = useState(makeSlots)
  const ids = seen.map(({ id }) => id)
  // What has been measured belongs to its row.
  const places = measure ? ids : placesOf(ids)
  const above = seen[0]?.start ?? 0
  const below = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)
  const actionsWidth = actions.length ? Math.max(ACTIONS_LEAST, actions.length * ACTION + 24) : 0
  const width = columns.reduce((sum, column) => sum + column.width, actionsWidth)
  return (
    // A box that scrolls can be scrolled by the keys once it has the focus.
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
          {seen.map(({ row, index, id }, at) => (
            <Line
              key={places[at]}
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

/** A button that goes, as "freeze" does once it is done, leaves the focus to the one beside it, else to the table. */
const handOn = (button: HTMLButtonElement | null) => () => {
  if (button !== document.activeElement) return
  const near = button?.previousElementSibling ?? button?.nextElementSibling ?? button?.closest('.table-scroll')
  if (near instanceof HTMLElement) near.focus({ preventScroll: true })
}

/** Its place is given to another row: a key must not press there what it was meant for here. */
const useFocusLeft = (id: string | number) => {
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

type LineProps<Row> = {
  id: string | number
  row: Row
  index: number
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
  measure: ((row: HTMLTableRowElement | null) => void) | undefined
}

/** Drawn again only when its row has changed, not with each step of the wheel. */
const Line = memo(function Line<Row>({ id, row, index, columns, actions, measure }: LineProps<Row>) {
  const line = useFocusLeft(id)
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
                  ref={handOn}
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
