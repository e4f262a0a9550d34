import type { ReactNode } from 'react'
import type { IconName } from '../icon.tsx'

export type Column<Row> = {
  key: string
  title: string
  /** Pixels at least; what is left over is shared out by it. */
  width: number
  align?: 'end'
  /** Shows all of a long text, over as many lines as it takes. */
  wraps?: boolean
  /** Light: a span, a button, an image. Hundreds are drawn while somebody scrolls. */
  cell: (row: Row) => ReactNode
  /** What the column is sorted by; without it, it is not. */
  sort?: (row: Row) => string | number | bigint
  /** On a small screen: the line's beginning, below it, or its end; what says nothing stands in the sheet only. */
  small?: 'head' | 'below' | 'side'
}

export type RowAction<Row> = {
  key: string
  label: string
  icon: IconName
  onSelect: (row: Row) => void
  /** Not for this row. */
  hidden?: (row: Row) => boolean
  danger?: boolean
}

export type RowsProps<Row> = {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
}
