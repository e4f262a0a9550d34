import { useWords } from '../../i18n/i18n.ts'
import { daysOfPeriod, HOURS_24, lastRange, rangeOfPeriod } from '../form/range.ts'
import { usePrinting } from '../use-printing.ts'
import { type FilterField, type FilterValues, shownValue } from './fields.ts'

/** What was searched, on paper: there the buttons say nothing, and neither does "Today" on another day. */
export const PrintedFilters = ({ fields, values }: { fields: readonly FilterField[]; values: FilterValues }) => {
  const { t } = useWords()
  const isPrinting = usePrinting()
  if (!isPrinting) return null
  const said = fields.flatMap((field) => {
    const value = values[field.key] ?? ''
    const shown = field.kind === 'period' ? printedPeriod(field, value) : shownValue(t, field, value)
    const isPlain = field.kind === 'given' || (field.kind === 'period' && !field.isLabelShown)
    return shown ? [isPlain ? shown : `${field.label}: ${shown}`] : []
  })
  return said.length > 0 && <p className="filters-printed">{said.join(' · ')}</p>
}

const printedPeriod = ({ fallback, minutes }: Extract<FilterField, { kind: 'period' }>, value: string): string => {
  const chosen = value || fallback
  if (!chosen) return ''
  const { start, end } =
    chosen === 'day'
      ? lastRange(HOURS_24)
      : ((minutes ? rangeOfPeriod(chosen) : daysOfPeriod(chosen)) ?? { start: '', end: '' })
  return start === end ? start : `${start} – ${end}`
}
