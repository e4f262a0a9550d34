import type { RowsProps } from './column.ts'
import { TotalsRow } from './totals-row.tsx'

/** In print nothing scrolls: renders all rows, without actions. */
export function PrintedRows<Row>({ rows, rowKey, columns, totals }: RowsProps<Row>) {
  return (
    <table className="table">
      <thead>
        <tr>
          {columns.map(({ key, title, align }) => (
            <th key={key} scope="col" className={align}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, align, cell }) => (
              <td key={key} className={align}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {totals && <TotalsRow totals={totals} columns={columns} hasActions={false} />}
    </table>
  )
}
