import type { Points } from '@tallyroom/contract/points'
import type { ReactNode } from 'react'
import type { IconName } from '../icon.tsx'

export type Column<Row> = {
  key: string
  title: string
  /** Minimum width in px; spare width is shared in proportion to it. */
  width: number
  align?: 'end'
  /** Texts in the cells: the column is never narrower than their longest word. */
  texts?: readonly string[]
  /** Texts of chips in the cells: the column is never narrower than the longest. */
  chips?: readonly string[]
  /** The points in the cell: the column is never narrower than the longest amount that has been in view. */
  amount?: (row: Row) => Points | undefined
  /** Wraps a long text instead of cutting it: the row gets as high as its text. */
  wraps?: boolean
  /** Wraps once: two lines fit into a row of usual height. */
  twoLines?: boolean
  /** Must be light (a span, a button, an image): hundreds are rendered while scrolling. */
  cell: (row: Row) => ReactNode
  /** The value to sort by; without it the column cannot be sorted. */
  sort?: (row: Row) => string | number | bigint
  /**
   * The column is left out when the table is too narrow for all, the lowest number first: the row's details have it too.
   */
  spare?: number
  /** The points that a row adds to the total of the column; undefined for a row that has none. */
  sum?: (row: Row) => Points | undefined
  /** Position on a small screen: start of the line, below it, or its end; without one only in the details sheet. */
  small?: 'head' | 'below' | 'side'
}

/** The first action of a row is a button with its word; the others are in a menu. A table with two shows both as words. */
export type RowAction<Row> = {
  key: string
  label: string
  icon: IconName
  /** What it does, in a few words. */
  hint?: string
  /** Runs it while the focus is on the row's actions or in their menu. A letter, the same in all languages. */
  letter?: string
  onSelect: (row: Row) => void
  /** Whether the row does not offer this action. */
  hidden?: (row: Row) => boolean
  danger?: boolean
}

/** Sums over all rows of a list, by the key of their column. */
export type Totals = { count: number; sums: Readonly<Record<string, Points>> }

export type RowsProps<Row> = {
  label: string
  rows: readonly Row[]
  /** The rows that there is room for: more than `rows` while the rest is loading. */
  count: number
  rowKey: (row: Row) => string | number
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
  totals?: Totals | undefined
  /** For many columns: less space between them, no icon beside the word of an action, and one word at most. */
  dense?: boolean
  /** Whether a press on a row shows its details beside the table; on a phone they always are. */
  opens?: boolean
}
