import type { Answer } from '@tallyroom/contract'
import type { ReactNode } from 'react'
import { showDuration } from '../../chat/view/time.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import type { RequestFilter } from './filter.ts'

type Day = Answer<'cash/day'>
type Props = { figures: Day | undefined; onOpen: (filter: RequestFilter) => void }

const wait = (seconds: number | null) => (seconds === null ? '–' : showDuration(seconds * 1000))

/** The day in numbers. Each is a button that shows the requests it counts. */
export const DayFigures = ({ figures, onOpen }: Props) => {
  const { t } = useWords()
  if (!figures) return null
  const { day: ended_on } = figures
  const figure = (label: string, value: ReactNode, filter: RequestFilter) => (
    <div>
      <dt>{label}</dt>
      <dd>
        <button type="button" className="request-figure points" onClick={() => onOpen(filter)}>
          {value}
        </button>
      </dd>
    </div>
  )
  return (
    <dl className="request-figures">
      {figure(t('requests.asked'), figures.asked, { asked_on: ended_on })}
      {figure(t('cash.state_paid'), figures.paid, { states: ['paid'], ended_on })}
      {figure(t('cash.state_refused'), figures.refused, { states: ['refused'], ended_on })}
      {figure(t('requests.median'), wait(figures.median), { states: ['paid', 'refused'], ended_on })}
      {figure(t('requests.p95'), wait(figures.p95), { states: ['paid', 'refused'], ended_on })}
      {figure(t('requests.paid_in'), <Amount value={figures.paid_in} />, {
        states: ['paid'],
        ended_on,
        direction: 'in',
      })}
      {figure(t('requests.paid_out'), <Amount value={figures.paid_out} />, {
        states: ['paid'],
        ended_on,
        direction: 'out',
      })}
    </dl>
  )
}

/** The same by colleague. */
export const PeopleFigures = ({ figures, onOpen }: Props) => {
  const { t } = useWords()
  if (!figures?.people.length) return null
  const { day: ended_on, people } = figures
  const cell = (value: ReactNode, filter: RequestFilter) => (
    <td className="request-right">
      <button type="button" className="request-figure points" onClick={() => onOpen({ ...filter, ended_on })}>
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
          {people.map(({ id: ended_by, name, paid, refused, median, p95 }) => (
            <tr key={ended_by}>
              <td>
                <bdi>{name}</bdi>
              </td>
              {cell(paid, { states: ['paid'], ended_by })}
              {cell(refused, { states: ['refused'], ended_by })}
              {cell(wait(median), { states: ['paid', 'refused'], ended_by })}
              {cell(wait(p95), { states: ['paid', 'refused'], ended_by })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
