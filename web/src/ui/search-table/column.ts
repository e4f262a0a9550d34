import type { ReactNode } from 'react'
import type { IconName } from '../icon.tsx'

export type Column<Row> = {
  key: string
  title: string
  /** Minimum width in px; spare width is shared in proportion to it. */
  width: number
  align?: 'end'
  /** Wraps a long text instead of cutting it. */
  wraps?: boolean
  /** Must be light (a span, a button, an image): hundreds are rendered while scrolling. */
  cell: (row: Row) => ReactNode
  /** The value to sort by; without it the column cannot be sorted. */
  sort?: (row: Row) => string | number | bigint
  /** Position on a small screen: start of the line, below it, or its end; without one only in the details sheet. */
  small?: 'head' | 'below' | 'side'
}

export type RowAction<Row> = {
  key: string
  label: string
  icon: IconName
  onSelect: (row: Row) => void
  /** Whether the row does not offer this action. */
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
