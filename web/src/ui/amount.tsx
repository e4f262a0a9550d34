import { formatPoints, type Points, showPoints } from '@tallyroom/contract/points'
import { useWords } from '../i18n/i18n.ts'
import { groupAmount } from './form/amount-text.ts'
import { pointsOf } from './points-of.ts'

type AmountProps = {
  value: string | Points
  unlimited?: boolean
  /** Says with sign and colour which way the points went. */
  way?: 'in' | 'out'
  /** What somebody agrees to is never shown as less than it is. */
  exact?: boolean
}

/** An amount to be read: two decimals, rounded down; all four when it is pointed at or focused. */
export const Amount = ({ value, unlimited, way, exact = false }: AmountProps) => {
  if (unlimited) return <Unlimited />
  const points = typeof value === 'string' ? pointsOf(value) : value
  const whole = groupAmount(formatPoints(points))
  const more = points % 100n !== 0n
  // Nothing has no way.
  const gone = points === 0n ? undefined : way
  const sign = gone === 'in' ? '+' : gone === 'out' ? '−' : ''
  return (
    <span
      className={`points ${gone ? `points-${gone}` : ''}`}
      {...(more && !exact ? { 'data-tip': whole, tabIndex: 0 } : {})}
    >
      {sign}
      {more && exact ? whole : showPoints(points)}
    </span>
  )
}

const Unlimited = () => {
  const { t } = useWords()
  return <span className="points">{t('points.unlimited')}</span>
}

/** What an account can spend: its credit is part of it. */
export const available = (row: { limit_of_credit: string; used_credit: string }): Points =>
  pointsOf(row.limit_of_credit) - pointsOf(row.used_credit)
