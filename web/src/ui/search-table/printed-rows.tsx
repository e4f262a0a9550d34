import type { RowsProps } from './column.ts'

/** In print nothing scrolls: renders all rows, without actions. */
export function PrintedRows<Row>({ rows, rowKey, columns }: RowsProps<Row>) {
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
    </table>
  )
}
