import type { Answer } from '@tallyroom/contract'
import { type ReactNode, useId } from 'react'
import { showDuration } from '../../chat/view/messages/time.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Amount } from '../../ui/amount.tsx'
import type { FilterValues } from '../../ui/filter-bar/fields.ts'

type Day = Answer<'cash/day'>
type Props = { figures: Day | undefined; onOpen: (filter: FilterValues) => void }

const wait = (seconds: number | null) => (seconds === null ? '–' : showDuration(seconds * 1000))

type FigureProps = { id: string; about: string; onPress: () => void; children: ReactNode }

/** A number alone does not say what it counts: `about` has the ids of the words that do. */
const Figure = ({ id, about, onPress, children }: FigureProps) => (
  <button type="button" id={id} className="request-figure points" aria-labelledby={`${about} ${id}`} onClick={onPress}>
    {children}
  </button>
)

/** The days in numbers. Each is a button that shows the requests it counts. */
export const DayFigures = ({ figures, onOpen }: Props) => {
  const { t } = useWords()
  const id = useId()
  if (!figures) return null
  const figure = (key: string, label: string, value: ReactNode, filter: FilterValues) => (
    <div>
      <dt id={`${id}${key}`}>{label}</dt>
      <dd>
        <Figure id={`${id}${key}-value`} about={`${id}${key}`} onPress={() => onOpen(filter)}>
          {value}
        </Figure>
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
      {figure('in', t('cash.in'), <Amount value={figures.paid_in} />, { state: 'paid', direction: 'in' })}
      {figure('out', t('cash.out'), <Amount value={figures.paid_out} />, { state: 'paid', direction: 'out' })}
    </dl>
  )
}

/** The same by colleague. */
export const PeopleFigures = ({ figures, onOpen }: Props) => {
  const { t } = useWords()
  const id = useId()
  if (!figures?.people.length) return null
  const { people } = figures
  const head = (key: string, label: string) => (
    <th className="request-right" id={`${id}${key}`}>
      {label}
    </th>
  )
  const cell = (key: string, label: string, value: ReactNode, by: number, state: string) => (
    <td className="request-right" data-label={label}>
      <Figure
        id={`${id}${key}${by}`}
        about={`${id}${by} ${id}${key}`}
        onPress={() => onOpen({ state, by: String(by) })}
      >
        {value}
      </Figure>
    </td>
  )
  return (
    <section className="card request-card">
      <h2>{t('requests.people')}</h2>
      <table className="request-table request-people">
        <thead>
          <tr>
            <th>{t('requests.person')}</th>
            {head('paid', t('cash.state_paid'))}
            {head('refused', t('cash.state_refused'))}
            {head('median', t('requests.median'))}
            {head('p95', t('requests.p95'))}
          </tr>
        </thead>
        <tbody>
          {people.map(({ id: by, name, paid, refused, median, p95 }) => (
            <tr key={by}>
              <td>
                <bdi id={`${id}${by}`}>{name}</bdi>
              </td>
              {cell('paid', t('cash.state_paid'), paid, by, 'paid')}
              {cell('refused', t('cash.state_refused'), refused, by, 'refused')}
              {cell('median', t('requests.median'), wait(median), by, 'ended')}
              {cell('p95', t('requests.p95'), wait(p95), by, 'ended')}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** CASH-10: what was asked for and paid with each account that members pay to. */
export const AccountSums = ({ figures }: { figures: Day | undefined }) => {
  const { t } = useWords()
  if (!figures?.accounts.length) return null
  return (
    <section className="card request-card">
      <h2>{t('requests.accounts')}</h2>
      <table className="request-table request-people">
        <thead>
          <tr>
            <th>{t('receiving.account')}</th>
            <th className="request-right">{t('requests.asked')}</th>
            <th className="request-right">{t('requests.open')}</th>
            <th className="request-right">{t('cash.state_paid')}</th>
            <th className="request-right">{t('receiving.day_limit')}</th>
          </tr>
        </thead>
        <tbody>
          {figures.accounts.map((account) => (
            <tr key={account.id}>
              <td>
                <bdi>{account.name}</bdi>
                {account.changed_at && (
                  <span className="request-note">
                    {t('receiving.changed', { time: showMoment(account.changed_at), name: account.changed_name })}
                  </span>
                )}
              </td>
              <td className="request-right points" data-label={t('requests.asked')}>
                {account.asked}
              </td>
              <td className="request-right" data-label={t('requests.open')}>
                <Amount value={account.open} />
              </td>
              <td className="request-right" data-label={t('cash.state_paid')}>
                <Amount value={account.paid} />
              </td>
              <td className="request-right" data-label={t('receiving.day_limit')}>
                {account.day_limit ? <Amount value={account.day_limit} /> : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
