import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useRef } from 'react'
import { useWords } from '../../words.ts'
import { Icon } from '../icon.tsx'
import type { Column, RowAction, RowsProps } from './column.ts'
import { nextOrder, type Order } from './order.ts'

const HEIGHT = 44
const ACTION = 36
/** The column's title needs room in every language. */
const ACTIONS_LEAST = 120

type Props<Row> = RowsProps<Row> & { order: Order; onOrder: (order: Order) => void }

export function WideRows<Row>({ label, rows, rowKey, columns, actions, order, onOrder }: Props<Row>) {
  const { t } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    overscan: 10,
  })
  const seen = virtual.getVirtualItems()
  // Rows of one height need no measuring, and there may be 50,000.
  const measure = columns.some(({ wraps }) => wraps) ? virtual.measureElement : undefined
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
          {seen.map(({ index }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <Line
                key={rowKey(row)}
                row={row}
                index={index}
                columns={columns as never}
                actions={actions as never}
                measure={measure}
              />
            )
          })}
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

type LineProps<Row> = {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
  measure: ((row: HTMLTableRowElement | null) => void) | undefined
}

/** Drawn again only when its row has changed, not with each step of the wheel. */
const Line = memo(function Line<Row>({ row, index, columns, actions, measure }: LineProps<Row>) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
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
