import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { getStored, setStored } from '../../lib/storage.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { useMedia } from '../use-media.ts'
import type { Column, RowAction } from './column.ts'
import { type Order, sorted } from './order.ts'
import { Footer, SIZES } from './footer.tsx'
import { PrintedRows } from './printed-rows.tsx'
import { SmallRows } from './small-rows.tsx'
import { useFiltered } from './use-filtered.ts'
import { TableSkeleton } from './table-skeleton.tsx'
import { WideRows } from './wide-rows.tsx'

type Props<Row> = {
  /** Accessible name of the table. */
  label: string
  rows: readonly Row[] | undefined
  /** Must be a stable reference, as must columns and actions. */
  rowKey: (row: Row) => string | number
  columns: readonly Column<Row>[]
  actions?: readonly RowAction<Row>[]
  /** Filter by the typed text; a stable reference while the text does not change. */
  matches?: ((row: Row) => boolean) | undefined
  error?: Error | null
  onRetry: () => void
  /** Left side of the toolbar: the search form. */
  search?: ReactNode
  /** Right side of the toolbar: actions on the list. */
  tools?: ReactNode
  /** Shown when the list is empty: the next step. */
  whenEmpty?: ReactNode
  /** Page sizes to choose from; 0 means all. */
  sizes?: readonly number[]
  /** Shown between the count and the page size, for example the server's pages. */
  footer?: ReactNode
}

const NONE: readonly never[] = []

/** The list of the back office: filters 50,000 rows while the user types and renders only the visible ones. */
export function SearchTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, columns, actions = NONE, matches, error, onRetry, sizes = SIZES } = props
  const { t } = useWords()
  const small = useMedia('(max-width: 767px)')
  const [order, setOrder] = useState<Order>()
  const [size, setSize] = useState(() => storedSize(sizes))
  const [page, setPage] = useState(1)

  const found = useFiltered(rows, matches)
  const inOrder = useMemo(() => found && sorted(found, columns, order), [found, columns, order])
  const count = inOrder?.length ?? 0
  const pages = size === 0 ? 1 : Math.max(1, Math.ceil(count / size))
  const current = Math.min(page, pages)
  const shown = useMemo(
    () => (size === 0 ? inOrder : inOrder?.slice((current - 1) * size, current * size)),
    [inOrder, size, current],
  )
  const resize = (next: number) => {
    setSize(next)
    setPage(1)
    setStored('page_size', String(next))
  }
  // In print nothing scrolls, so all rows are rendered.
  const printing = useMedia('print')
  const Rows = printing ? PrintedRows : small ? SmallRows : WideRows
  // Deferred, so that the page around the rows is painted first.
  const known = useDeferredValue(rows !== undefined)
  // Memoized: renders again when the filtered rows change, not for each letter typed.
  const body = useMemo(
    () =>
      known && shown?.length ? (
        <Rows
          key={`${size} ${current}`}
          label={label}
          rows={shown}
          rowKey={rowKey}
          columns={columns}
          actions={actions}
          order={order}
          onOrder={setOrder}
        />
      ) : undefined,
    [known, Rows, size, current, label, shown, rowKey, columns, actions, order],
  )
  return (
    <section className="table-page" aria-label={label}>
      <div className="table-bar">
        <div className="table-search">{props.search}</div>
        <div className="table-tools">{props.tools}</div>
      </div>
      <div className="table-card">
        {body ?? (
          <TableSkeleton columns={columns} loading={!known && (rows !== undefined || !error)} small={small}>
            {rows === undefined && error ? (
              <div className="table-none" role="alert">
                <p>{error.message}</p>
                <button type="button" className="button" onClick={onRetry}>
                  <Icon name="refresh" size={16} />
                  {t('action.try_again')}
                </button>
              </div>
            ) : (
              <div className="table-none" role="status">
                <p>{t('table.empty')}</p>
                {props.whenEmpty}
              </div>
            )}
          </TableSkeleton>
        )}
        <Footer
          count={count}
          known={rows !== undefined}
          sizes={sizes}
          size={size}
          onSize={resize}
          page={current}
          pages={pages}
          onPage={setPage}
        >
          {props.footer}
        </Footer>
      </div>
    </section>
  )
}

const storedSize = (sizes: readonly number[]) => {
  const size = Number(getStored('page_size') ?? '0')
  return sizes.includes(size) ? size : 0
}
