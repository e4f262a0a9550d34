import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { periodOf } from '../../ui/form/range.ts'
import type { Filters } from '../../ui/filter-bar/use-filters.ts'
import { TitledTable } from './titled-table.tsx'
import { periodText } from './words.ts'

const CloseDialog = lazyPart(async () => (await import('./close-dialog.tsx')).CloseDialog)

const sums = ['opening', 'in', 'out', 'closing', 'held'] as const

type Props = { filters: Filters; onShow: () => void }

/** BOOK-02: the closed periods of the own branch; a press shows the statement of one. */
export const ClosedPeriods = ({ filters, onShow }: Props) => {
  const { t } = useWords()
  const [isClosing, setClosing] = useState(false)
  const periods = useCall('period/list', {}, { meta: { optional: true } })
  if (!periods.data) return null
  const { data, next_start } = periods.data
  const show = (days: { start_date: string; end_date: string }) => {
    filters.set({ scope: 'branch', time: periodOf({ start: days.start_date, end: days.end_date }) })
    onShow()
  }
  return (
    <TitledTable
      title={t('period.closed')}
      act={<Button onClick={() => setClosing(true)}>{t('period.close')}</Button>}
      none={data.length === 0 ? <p>{t('period.none')}</p> : undefined}
      after={isClosing && <CloseDialog next={next_start} onClose={() => setClosing(false)} />}
    >
      <thead>
        <tr>
          <th scope="col">{t('range.presets')}</th>
          {sums.map((sum) => (
            <th key={sum} scope="col" className="end">
              {t(`statement.${sum}`)}
            </th>
          ))}
          <th scope="col">{t('period.closed_by')}</th>
        </tr>
      </thead>
      <tbody>
        {data.map((row) => (
          <tr key={row.id}>
            <td>
              <button type="button" className="statement-period points" onClick={() => show(row)}>
                {periodText(row)}
              </button>
            </td>
            {sums.map((sum) => (
              <td key={sum} className="end">
                <Amount exact value={row[sum]} />
              </td>
            ))}
            <td>
              <bdi>{row.closed_by}</bdi> <span className="points">{row.closed_at}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </TitledTable>
  )
}
