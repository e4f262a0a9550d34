import type { Column } from './column.ts'

export type Order = { key: string; down: boolean } | undefined

/** Cycles: ascending, descending, unsorted. */
export const nextOrder = (order: Order, key: string): Order => {
  if (order?.key !== key) return { key, down: false }
  return order.down ? undefined : { key, down: true }
}

const compare = (a: string | number | bigint, b: string | number | bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** The rows sorted by a column's value; stable. */
export const sorted = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order): readonly Row[] => {
  const value = columns.find(({ key }) => key === order?.key)?.sort
  if (!order || !value) return rows
  const sign = order.down ? -1 : 1
  // Read once per row, not once per comparison: an amount is parsed from text.
  const keyed = rows.map((row) => ({ row, at: value(row) }))
  return keyed.sort((a, b) => sign * compare(a.at, b.at)).map(({ row }) => row)
}
