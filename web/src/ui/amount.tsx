import { views } from '@tallyroom/contract/transfer-kinds'
import { formatPoints, type Points, showPoints } from '@tallyroom/contract/points'
import { useWords } from '../i18n/i18n.ts'
import { groupAmount } from './form/amount-text.ts'
import { pointsOf } from './points-of.ts'

/** A real minus, as wide as a plus; the hyphen is for files and fields. */
const withMinus = (text: string) => text.replace(/^-/, '−')

/** Two decimals, or all four when the last two are not zero: an amount to agree to is never shown rounded. */
export const exactText = (points: Points): string =>
  withMinus(points % 100n === 0n ? showPoints(points) : groupAmount(formatPoints(points)))

type AmountProps = {
  value: string | Points
  unlimited?: boolean
  /** Shows the direction of the points by sign and colour. */
  way?: 'in' | 'out'
  /** Shows all decimals: an amount to agree to must not look smaller than it is. */
  exact?: boolean
}

/** Shows an amount with two decimals, rounded down. If that hides digits, a tip shows all four on hover or focus. */
export const Amount = ({ value, unlimited, way, exact = false }: AmountProps) => {
  if (unlimited) return <Unlimited />
  const points = typeof value === 'string' ? pointsOf(value) : value
  const whole = withMinus(groupAmount(formatPoints(points)))
  const more = points % 100n !== 0n
  // Zero has no direction.
  const direction = points === 0n ? undefined : way
  const sign = Object.values(views).find(({ tone }) => tone === direction)?.sign
  return (
    <span
      className={`points ${direction ? `points-${direction}` : ''}`}
      {...(more && !exact ? { 'data-tip': whole, tabIndex: 0 } : {})}
    >
      {`${sign ?? ''}${exact ? exactText(points) : withMinus(showPoints(points))}`}
    </span>
  )
}

const Unlimited = () => {
  const { t } = useWords()
  return <span className="points">{t('points.unlimited')}</span>
}

/** The amount that an account can spend, including its credit. */
export const available = (row: { limit_of_credit: string; used_credit: string }): Points =>
  pointsOf(row.limit_of_credit) - pointsOf(row.used_credit)
