import { type MouseEvent, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { getStored, setStored } from '../../lib/storage.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { PageActs } from '../page/page-acts.tsx'
import { useMedia } from '../use-media.ts'
import { usePrinting } from '../use-printing.ts'
import type { Column, RowAction, Totals } from './column.ts'
import { type Order, sorted } from './order.ts'
import { Footer, SIZES } from './footer.tsx'
import { PrintedRows } from './printed-rows.tsx'
import { SmallRows } from './small-rows.tsx'
import { useFiltered } from './use-filtered.ts'
import { useTotals } from './use-totals.ts'
import { TableSkeleton } from './table-skeleton.tsx'
import { WideRows } from './wide-rows.tsx'

type KeyOf<Row> = { [Key in keyof Row]: Row[Key] extends string | number ? Key : never }[keyof Row]

type Props<Row> = {
  /** Accessible name of the table. */
  label: string
  rows: readonly Row[] | undefined
  /** The number of rows in the whole list, while only its first rows are loaded. */
  total?: number | undefined
  /** The field that names a row. */
  rowKey: KeyOf<Row>
  /** A stable reference, as must be the actions: with another one all rows render again. */
  columns: readonly Column<Row>[]
  actions?: readonly RowAction<Row>[]
  /** Filter by the typed text; a stable reference while the text does not change. */
  matches?: ((row: Row) => boolean) | undefined
  /** The sums of all rows, from the server; a stable reference. Without them there is no row of totals. */
  totals?: Totals | undefined
  /** For many columns: less space between them, no icon beside the word of an action, and one word at most. */
  dense?: boolean
  /** Whether a press on a row shows its details beside the table; on a phone they always are. */
  opens?: boolean
  error?: Error | null
  onRetry: () => void
  /** Above the rows: the filter bar. */
  search?: ReactNode
  /** Beside the page's title: acts on the list. */
  tools?: ReactNode
  /** Shown when the list is empty: the next step. */
  whenEmpty?: ReactNode
  /** Page sizes to choose from; 0 means all. */
  sizes?: readonly number[]
  /** Rows that have come since the list was loaded: a button above the first row shows them. */
  fresh?: { text: string; onShow: () => void } | undefined
  /** Shown between the count and the page size, for example the server's pages. */
  footer?: ReactNode
  /** False where the page says the number of rows elsewhere: one list has one count. */
  isCounted?: boolean
}

const NONE: readonly never[] = []

/** The list of the back office: filters 50,000 rows while the user types and renders only the visible ones. */
export function SearchTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, columns, actions = NONE, matches, error, onRetry, sizes = SIZES } = props
  const { dense = false, opens = false } = props
  const { t } = useWords()
  const small = useMedia('(max-width: 767px)')
  const [order, setOrder] = useState<Order>()
  const [size, setSize] = useState(() => storedSize(sizes))
  const [page, setPage] = useState(1)

  // In print nothing scrolls, so all rows are rendered.
  const printing = usePrinting()

  const isPart = rows !== undefined && props.total !== undefined && rows.length < props.total
  // The first rows say nothing about what a filter finds or what another order begins with.
  const needsAll = matches !== undefined || order !== undefined || printing
  const usable = isPart && needsAll ? undefined : rows
  const found = useFiltered(usable, matches)
  const totals = useTotals(props.totals, usable, found, columns)
  const inOrder = useMemo(() => found && sorted(found, columns, order), [found, columns, order])
  const count = (isPart ? found && props.total : inOrder?.length) ?? 0
  const pages = size === 0 ? 1 : Math.max(1, Math.ceil(count / size))
  const current = Math.min(page, pages)
  const shown = useMemo(() => {
    if (size === 0) return inOrder
    const onPage = inOrder?.slice((current - 1) * size, current * size)
    // The page is beyond the rows that are loaded.
    return onPage && onPage.length < Math.min(size, count - (current - 1) * size) ? undefined : onPage
  }, [inOrder, size, current, count])
  const resize = (next: number) => {
    setSize(next)
    setPage(1)
    setStored('page_size', String(next))
  }
  const Rows = printing ? PrintedRows : small ? SmallRows : WideRows
  // Deferred, so that the page around the rows is painted first.
  const isThere = shown !== undefined
  const known = useDeferredValue(isThere)
  const isFailed = error && !isThere
  // Memoized: renders again when the filtered rows change, not for each letter typed.
  const body = useMemo(
    () =>
      known && shown?.length ? (
        <Rows
          key={`${size} ${current}`}
          label={label}
          rows={shown}
          count={size === 0 ? count : shown.length}
          rowKey={(row) => row[rowKey] as string | number}
          columns={columns}
          actions={actions}
          totals={totals}
          dense={dense}
          opens={opens}
          order={order}
          onOrder={setOrder}
        />
      ) : undefined,
    [known, Rows, size, current, label, shown, count, rowKey, columns, actions, totals, dense, opens, order],
  )
  return (
    <section className="table-page" aria-label={label}>
      {props.tools && <PageActs>{props.tools}</PageActs>}
      {props.search}
      <FreshRows fresh={props.fresh} onShow={() => setPage(1)} />
      <div className="table-card">
        {body ?? (
          <TableSkeleton columns={columns} loading={!isFailed && !(known && isThere)} small={small}>
            {isFailed ? (
              <Failed text={error.message} onRetry={onRetry} />
            ) : (
              <div className="table-none" role="status">
                <p>{t('table.empty')}</p>
                {props.whenEmpty}
              </div>
            )}
          </TableSkeleton>
        )}
        {body && isPart && error && <Failed text={t('table.rest_failed')} onRetry={onRetry} />}
        <Footer
          count={count}
          known={usable !== undefined && props.isCounted !== false}
          // The row of totals says it, where there is one.
          isCountSeen={!totals || small}
          loading={isPart && !error}
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

type FreshProps = { fresh: { text: string; onShow: () => void } | undefined; onShow: () => void }

/** Over the upper edge of the list, so that no row moves when it comes. */
const FreshRows = ({ fresh, onShow }: FreshProps) => {
  const show = ({ currentTarget }: MouseEvent) => {
    const list = currentTarget.closest('.table-page')?.querySelector<HTMLElement>('.table-scroll')
    // The button goes with the rows that it shows: the focus stays in the list.
    list?.focus({ preventScroll: true })
    if (list) list.scrollTop = 0
    onShow()
    fresh?.onShow()
  }
  return (
    <div className="table-fresh" role="status">
      {fresh && (
        <button type="button" className="button" onClick={show}>
          <Icon name="up" size={14} />
          {fresh.text}
        </button>
      )}
    </div>
  )
}

const Failed = ({ text, onRetry }: { text: string; onRetry: () => void }) => {
  const { t } = useWords()
  return (
    <div className="table-none" role="alert">
      <p>{text}</p>
      <button type="button" className="button" onClick={onRetry}>
        <Icon name="refresh" size={16} />
        {t('action.try_again')}
      </button>
    </div>
  )
}

const storedSize = (sizes: readonly number[]) => {
  const size = Number(getStored('page_size') ?? '0')
  return sizes.includes(size) ? size : 0
}
