import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../amount.tsx'
import { groupCount } from '../form/amount-text.ts'
import type { Column, Totals } from './column.ts'

const sumOf = ({ sums }: Totals, key: string) => (Object.hasOwn(sums, key) ? sums[key] : undefined)

type RowProps<Row> = { totals: Totals; columns: readonly Column<Row>[]; hasActions: boolean }

/** The last row of the table: the sum of each column that has one. */
export function TotalsRow<Row>({ totals, columns, hasActions }: RowProps<Row>) {
  const { t } = useWords()
  return (
    <tfoot>
      <tr>
        {columns.map(({ key, align }, at) => {
          const sum = sumOf(totals, key)
          if (at === 0)
            return (
              <th key={key} scope="row">
                {t('table.total')}{' '}
                <span className="total-count">
                  {t('table.count', { n: totals.count, count: groupCount(totals.count) })}
                </span>
              </th>
            )
          return (
            <td key={key} className={align}>
              {sum !== undefined && <Amount value={sum} />}
            </td>
          )
        })}
        {hasActions && <td className="actions" />}
      </tr>
    </tfoot>
  )
}

/** On a phone: the sums above the rows, where they are seen without scrolling to the end. */
export function TotalsList<Row>({ totals, columns }: Omit<RowProps<Row>, 'hasActions'>) {
  return (
    <dl className="totals-list">
      {columns.map(({ key, title }) => {
        const sum = sumOf(totals, key)
        return (
          sum !== undefined && (
            <div key={key}>
              <dt>{title}</dt>
              <dd>
                <Amount value={sum} />
              </dd>
            </div>
          )
        )
      })}
    </dl>
  )
}
