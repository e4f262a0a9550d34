import { InButton } from './in-button.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Suspense, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { lazyPart, usePreload } from '../page/lazy-part.tsx'
import type { Column, RowsProps } from './column.ts'
import { TotalsList } from './totals-row.tsx'
import { useRowPosition } from './use-row-position.ts'

const Sheet = lazyPart(async () => (await import('./sheet.tsx')).Sheet)

const HEIGHT = 68

/** Rows on a phone: one line with the most important columns. A sheet from below shows all columns and the actions. */
export function SmallRows<Row>({ label, rows, count, rowKey, columns, actions, totals }: RowsProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<string | number>()
  usePreload(Sheet.preload)
  const initialOffset = useRowPosition(box, label)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    initialOffset,
    overscan: 8,
  })
  const part = (row: Row, where: Column<Row>['small']) =>
    columns.flatMap(({ key, small, cell }) => (small === where ? [<span key={key}>{cell(row)}</span>] : []))
  const chosen = open === undefined ? undefined : rows.find((row) => rowKey(row) === open)
  return (
    <>
      {totals && <TotalsList totals={totals} columns={columns} />}
      <div ref={box} className="table-scroll" tabIndex={0} role="group" aria-label={label} data-rows="li">
        <InButton value={true}>
          <ul className="small-rows" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                <li
                  key={rowKey(row)}
                  data-row={rowKey(row)}
                  style={{ transform: `translateY(${start}px)`, height: HEIGHT }}
                  aria-setsize={count}
                  aria-posinset={index + 1}
                >
                  <button
                    type="button"
                    className="small-row"
                    aria-haspopup="dialog"
                    onClick={() => setOpen(rowKey(row))}
                  >
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
        </InButton>
        <Suspense>
          {chosen !== undefined && (
            <Sheet row={chosen} columns={columns} actions={actions} onClose={() => setOpen(undefined)} />
          )}
        </Suspense>
      </div>
    </>
  )
}
