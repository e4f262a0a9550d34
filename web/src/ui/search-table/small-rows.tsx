import { useVirtualizer } from '@tanstack/react-virtual'
import { Drawer } from 'antd'
import { useRef, useState } from 'react'
import { useWords } from '../../words.ts'
import { Icon } from '../icon.tsx'
import type { Column, RowAction, RowsProps } from './column.ts'

const HEIGHT = 68

/** On a phone a row is a line with what matters most; all of it, and what can be done, comes up from below. */
export function SmallRows<Row>({ label, rows, rowKey, columns, actions }: RowsProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<string | number>()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    overscan: 8,
  })
  const part = (row: Row, where: Column<Row>['small']) =>
    columns.flatMap(({ key, small, cell }) => (small === where ? [<span key={key}>{cell(row)}</span>] : []))
  const chosen = open === undefined ? undefined : rows.find((row) => rowKey(row) === open)
  return (
    <div ref={box} className="table-scroll" tabIndex={0} role="group" aria-label={label}>
      <ul className="small-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={rowKey(row)}
              style={{ transform: `translateY(${start}px)`, height: HEIGHT }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              <button type="button" className="small-row" aria-haspopup="dialog" onClick={() => setOpen(rowKey(row))}>
                <span className="small-main">
                  <span className="small-head">{part(row, 'head')}</span>
                  <span className="small-below">{part(row, 'below')}</span>
                </span>
                <span className="small-side">{part(row, 'side')}</span>
                <Icon name="chevronRight" size={16} />
              </button>
            </li>
          )
        })}
      </ul>
      <Sheet row={chosen} columns={columns} actions={actions} onClose={() => setOpen(undefined)} />
    </div>
  )
}

type SheetProps<Row> = {
  row: Row | undefined
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
  onClose: () => void
}

function Sheet<Row>({ row, columns, actions, onClose }: SheetProps<Row>) {
  const { t } = useWords()
  const head = columns.find(({ small }) => small === 'head')
  // Only once the sheet is gone and the focus is back on its row: there the next dialog leads back to.
  const next = useRef<() => void>(undefined)
  const afterClose = (isOpen: boolean) => {
    if (isOpen) return
    next.current?.()
    next.current = undefined
  }
  return (
    <Drawer
      open={row !== undefined}
      placement="bottom"
      size="auto"
      className="sheet"
      onClose={onClose}
      afterOpenChange={afterClose}
      title={row && head ? head.cell(row) : ''}
      closable={{ 'aria-label': t('action.close') }}
    >
      {row && (
        <>
          <dl className="lines">
            {columns
              .filter((column) => column !== head)
              .map(({ key, title, cell }) => (
                <div key={key}>
                  <dt>{title}</dt>
                  <dd>{cell(row)}</dd>
                </div>
              ))}
          </dl>
          <div className="sheet-actions">
            {actions.map(
              (action) =>
                !action.hidden?.(row) && (
                  <button
                    key={action.key}
                    type="button"
                    className={`button ${action.danger ? 'button-danger' : ''}`}
                    onClick={() => {
                      next.current = () => action.onSelect(row)
                      onClose()
                    }}
                  >
                    <Icon name={action.icon} />
                    {action.label}
                  </button>
                ),
            )}
          </div>
        </>
      )}
    </Drawer>
  )
}
