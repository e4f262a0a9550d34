import type { ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import type { Column } from './column.ts'

type Props<Row> = { columns: readonly Column<Row>[]; loading: boolean; small: boolean; children: ReactNode }

/** Shown instead of rows: placeholder bars while loading, else the children (error or empty state). */
export function TableSkeleton<Row>({ columns, loading, small, children }: Props<Row>) {
  const { t } = useWords()
  if (!loading) return <div className="table-scroll table-waiting">{children}</div>
  const lines = Array.from({ length: 10 }, (_, line) => line)
  return (
    <div className="table-scroll" aria-busy="true">
      <span className="visually-hidden" role="status">
        {t('table.loading')}
      </span>
      {small ? (
        <div className="table-bars" aria-hidden="true">
          {lines.map((line) => (
            <div key={line} className="small-row">
              <span className="bar" />
            </div>
          ))}
        </div>
      ) : (
        <table className="table table-bars" aria-hidden="true">
          <thead>
            <tr>
              {columns.map(({ key, title, align }) => (
                <th key={key} className={align}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line}>
                <td colSpan={columns.length}>
                  <span className="bar" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
