import { useWords } from '../../i18n/i18n.ts'
import type { Range } from '../form/range.ts'
import { usePrinting } from '../use-printing.ts'
import { type FilterField, type FilterValues, rangeOf, shownValue } from './fields.ts'

/** What was searched, on paper: there the buttons say nothing, and neither does "Today" on another day. */
export const PrintedFilters = ({ fields, values }: { fields: readonly FilterField[]; values: FilterValues }) => {
  const { t } = useWords()
  const isPrinting = usePrinting()
  if (!isPrinting) return null
  const said = fields.flatMap((field) => {
    const value = values[field.key] ?? ''
    const set = shownValue(t, field, value)
    const shown = field.kind === 'period' && (set || field.fallback) ? spanOf(rangeOf(field, value)) : set
    const isPlain = field.kind === 'given' || (field.kind === 'period' && !field.isLabelShown)
    return shown ? [isPlain ? shown : `${field.label}: ${shown}`] : []
  })
  return said.length > 0 && <p className="filters-printed">{said.join(' · ')}</p>
}

const spanOf = ({ start, end }: Range) => (start === end ? start : `${start} – ${end}`)
