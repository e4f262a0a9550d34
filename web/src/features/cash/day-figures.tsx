import type { Answer } from '@tallyroom/contract'
import { type ReactNode, useId } from 'react'
import { showDuration } from '../../chat/view/messages/time.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import type { FilterValues } from '../../ui/filter-bar/fields.ts'

type Day = Answer<'cash/day'>
type Props = { figures: Day | undefined; onOpen: (filter: FilterValues) => void }

const wait = (seconds: number | null) => (seconds === null ? '–' : showDuration(seconds * 1000))

/** The days in numbers. Each is a button that shows the requests it counts. */
export const DayFigures = ({ figures, onOpen }: Props) => {
  const { t } = useWords()
  const id = useId()
  if (!figures) return null
  const figure = (key: string, label: string, value: ReactNode, filter: FilterValues) => (
    <div>
      <dt id={`${id}${key}`}>{label}</dt>
      <dd>
        {/* A number alone does not say what it counts. */}
        <button
          type="button"
          className="request-figure points"
          aria-describedby={`${id}${key}`}
          onClick={() => onOpen(filter)}
        >
          {value}
        </button>
      </dd>
    </div>
  )
  return (
    <dl className="request-figures">
      {figure('asked', t('requests.asked'), figures.asked, { state: 'all' })}
      {figure('paid', t('cash.state_paid'), figures.paid, { state: 'paid' })}
      {figure('refused', t('cash.state_refused'), figures.refused, { state: 'refused' })}
      {figure('median', t('requests.median'), wait(figures.median), { state: 'ended' })}
      {figure('p95', t('requests.p95'), wait(figures.p95), { state: 'ended' })}
      {figure('in', t('requests.paid_in'), <Amount value={figures.paid_in} />, { state: 'paid', direction: 'in' })}
      {figure('out', t('requests.paid_out'), <Amount value={figures.paid_out} />, { state: 'paid', direction: 'out' })}
    </dl>
  )
}

/** The same by colleague. */
export const PeopleFigures = ({ figures, onOpen }: Props) => {
  const { t } = useWords()
  if (!figures?.people.length) return null
  const { people } = figures
  const cell = (value: ReactNode, by: number, state: string) => (
    <td className="request-right">
      <button type="button" className="request-figure points" onClick={() => onOpen({ state, by: String(by) })}>
        {value}
      </button>
    </td>
  )
  return (
    <section className="card request-card">
      <h2>{t('requests.people')}</h2>
      <table className="request-table request-people">
        <thead>
          <tr>
            <th>{t('requests.person')}</th>
            <th className="request-right">{t('cash.state_paid')}</th>
            <th className="request-right">{t('cash.state_refused')}</th>
            <th className="request-right">{t('requests.median')}</th>
            <th className="request-right">{t('requests.p95')}</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ id, name, paid, refused, median, p95 }) => (
            <tr key={id}>
              <td>
                <bdi>{name}</bdi>
              </td>
              {cell(paid, id, 'paid')}
              {cell(refused, id, 'refused')}
              {cell(wait(median), id, 'ended')}
              {cell(wait(p95), id, 'ended')}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
