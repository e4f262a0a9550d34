import type { Answer } from '@tallyroom/contract'
import { Suspense, useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { AccountLink } from '../../domain/account-link.tsx'
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

type Periods = Answer<'period/list'>

/** BOOK-02: the closed periods of the own branch. */
export const usePeriods = (enabled: boolean): Periods | undefined =>
  useCall('period/list', {}, { enabled, meta: { optional: true } }).data

/** `next`: the day on which the next period begins; null before the first one. */
export const ClosePeriod = ({ next }: { next: string | null }) => {
  const { t } = useWords()
  const [isClosing, setClosing] = useState(false)
  return (
    <>
      <Button onClick={() => setClosing(true)}>{t('period.close')}</Button>
      <Suspense>{isClosing && <CloseDialog next={next} onClose={() => setClosing(false)} />}</Suspense>
    </>
  )
}

type Props = { rows: Periods['data']; filters: Filters; onShow: () => void }

/** A press shows the statement of a period. */
export const ClosedPeriods = ({ rows, filters, onShow }: Props) => {
  const { t } = useWords()
  const show = (days: { start_date: string; end_date: string }) => {
    filters.set({ scope: 'branch', time: periodOf({ start: days.start_date, end: days.end_date }) })
    onShow()
  }
  return (
    <TitledTable title={t('period.closed')} none={rows.length === 0 ? <p>{t('period.none')}</p> : undefined}>
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
        {rows.map((row) => (
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
              <AccountLink who={{ username: row.closed_by }}>
                <bdi>{row.closed_by}</bdi>
              </AccountLink>{' '}
              <span className="points">{row.closed_at}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </TitledTable>
  )
}
