import type { Answer } from '@tallyroom/contract'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Amount } from '../../ui/amount.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'
import './days.css'

const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }))

type Days = Answer<'report/sr02'>['days']

type DaysProps = {
  days: Days
  /** What the page calls points in and points out. */
  words: readonly [string, string]
  /** Shown above the chart. */
  children?: ReactNode
}

/** The report by day: a chart, and a table for users who cannot see it or need exact points. */
export const Days = ({ days, words, children }: DaysProps) => {
  const { t } = useWords()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  // A single day equals the totals above.
  if (days.length < 2) return null
  return (
    <section className="card report-days" aria-label={t('report.by_day')}>
      <div className="report-days-bar">
        <h2>{t('report.by_day')}</h2>
        <span className="report-key report-key-in">{words[0]}</span>
        <span className="report-key report-key-out">{words[1]}</span>
        <span className="report-switch">
          {(['chart', 'table'] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="button"
              aria-pressed={view === each}
              onClick={() => setView(each)}
            >
              {t(`report.${each}_view`)}
            </button>
          ))}
        </span>
      </div>
      {children}
      {view === 'chart' ? (
        <Suspense fallback={<div className="report-chart" aria-busy="true" />}>
          <Chart days={days} label={t('report.by_day')} words={words} />
        </Suspense>
      ) : (
        <DayTable days={days} words={words} />
      )}
    </section>
  )
}

const DayTable = ({ days, words }: Pick<DaysProps, 'days' | 'words'>) => {
  const { t } = useWords()
  return (
    <div className="report-day-table" tabIndex={0} role="region" aria-label={t('report.by_day')}>
      <table className="lines-table">
        <thead>
          <tr>
            <th scope="col">{t('report.day')}</th>
            <th scope="col" className="end">
              {words[0]}
            </th>
            <th scope="col" className="end">
              {words[1]}
            </th>
            <th scope="col" className="end">
              {t('report.total_amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map((row) => (
            <tr key={row.day}>
              <td className="points">{row.day}</td>
              <td className="end">
                <Amount exact value={row.total_in} way="in" />
              </td>
              <td className="end">
                <Amount exact value={row.total_out} way="out" />
              </td>
              <td className="end">
                <Amount exact value={pointsOf(row.total_in) - pointsOf(row.total_out)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
