import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { type FormEvent, type MouseEvent, useId, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Segments } from '../control/segments.tsx'
import { ClearInput } from '../form/clear-input.tsx'
import { Icon } from '../icon.tsx'
import { useMedia } from '../use-media.ts'
import { FilterChip, MoreFilters } from './chip.tsx'
import {
  cleanedValue,
  type FilterField,
  type FilterOption,
  type FilterValues,
  isUnusable,
  isInline,
  saysList,
  shownValue,
} from './fields.ts'
import { Periods } from './periods.tsx'
import { PrintedFilters } from './printed-filters.tsx'
import type { Filters } from './use-filters.ts'
import './filter-bar.css'

type Props = {
  fields: readonly FilterField[]
  filters: Filters
  /** The search button while nothing has changed: the user wants current data. */
  onAgain: () => void
  busy?: boolean
}

/** An address can hold a value that is no option. */
const choiceOf = (options: readonly FilterOption[], value: string | undefined) =>
  (options.find((option) => option.value === value) ?? options[0])?.value

/**
 * The one filter bar of all lists: text boxes, periods, and a chip for each further field that is set (see `FilterField` in
 * fields.ts); one button adds the others.
 * A choice applies at once, together with what has been typed; typed text with Enter or the search button. On a phone all
 * but the text boxes are behind one button with the number of filters that are set.
 */
export const FilterBar = ({ fields, filters, onAgain, busy = false }: Props) => {
  const { t } = useWords()
  const id = useId()
  const small = useMedia('(max-width: 767px)')
  const [isUnfolded, setUnfolded] = useState(false)
  const { values, typed } = filters
  const type = (key: string, text: string) => filters.setTyped({ ...typed, [key]: text })
  const apply = (edited: FilterValues = {}) => {
    const unusable = fields.filter((field) => isUnusable(field, typed[field.key]))
    const kept = Object.fromEntries(unusable.map(({ key }) => [key, values[key] ?? '']))
    const next = cleaned(fields, { ...typed, ...kept, ...edited })
    if (JSON.stringify(next) !== JSON.stringify(cleaned(fields, values))) filters.set(next)
    else if (!busy) onAgain()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  const clear = ({ currentTarget }: MouseEvent) => {
    // The button goes with the filters: the focus stays in the bar.
    currentTarget.closest('form')?.querySelector<HTMLElement>('input, button')?.focus()
    const kept = cleaned(fields.filter(saysList), values)
    filters.setTyped(kept)
    filters.set(kept)
  }
  const chips = fields.filter((field) => !isInline(field) && !saysList(field) && field.kind !== 'period')
  const set = fields.filter((field) => !saysList(field) && shownValue(t, field, values[field.key] ?? '') !== '')
  // One button for several: a line of its own for what is not set would push the list down. A phone has folded them already.
  const unset = chips.filter((field) => field.kind !== 'given' && !set.includes(field))
  const more = small || chips.length < 2 ? [] : unset
  const alone = chips.filter((field) => !more.includes(field))
  const texts = fields.filter(isInline)
  // On a phone there is place for one.
  const beside = small ? texts.slice(0, 1) : texts
  const folded = set.filter((field) => !beside.some((text) => text === field)).length
  const textBox = (field: FilterField & { kind: 'text' }) => (
    <span key={field.key} className={`filters-text ${field.wide ? 'filters-wide' : ''}`}>
      {field === texts[0] && <SearchButton busy={busy} />}
      <ClearInput
        label={field.label}
        placeholder={field.placeholder ?? field.label}
        maxLength={field.maxLength ?? MAX_TYPED_NAME}
        value={typed[field.key] ?? ''}
        onChange={(text) => type(field.key, text)}
      />
    </span>
  )
  return (
    <form className="filters" role="search" onSubmit={submit}>
      <PrintedFilters fields={fields} values={values} />
      {(small || beside.length > 0) && (
        <div className="filters-texts">
          {beside.map(textBox)}
          {small && (
            <Fold controls={id} count={folded} isUnfolded={isUnfolded} onPress={() => setUnfolded(!isUnfolded)} />
          )}
        </div>
      )}
      <div id={id} className="filters-rest" hidden={small && !isUnfolded}>
        {small && texts.slice(1).map(textBox)}
        {fields.map(
          (field) =>
            field.kind === 'choice' &&
            field.isSwitch && (
              <Segments
                key={field.key}
                label={field.label}
                options={field.options}
                value={choiceOf(field.options, values[field.key])}
                // The first option is the usual one, which the address leaves out.
                onChange={(value) => apply({ [field.key]: value === field.options[0]?.value ? '' : value })}
              />
            ),
        )}
        {fields.map(
          (field) =>
            field.kind === 'period' && (
              <Periods
                key={field.key}
                field={field}
                value={values[field.key] ?? ''}
                typed={typed[field.key] ?? ''}
                onType={(text) => type(field.key, text)}
                onChoose={(period) => apply({ [field.key]: period })}
              />
            ),
        )}
        {alone.map((field) => (
          <FilterChip
            key={field.key}
            field={field}
            isFolded={!small && chips.length > 1}
            value={values[field.key] ?? ''}
            typed={typed[field.key] ?? ''}
            onType={(text) => type(field.key, text)}
            onChoose={(value) => apply({ [field.key]: value })}
          />
        ))}
        {more.length > 0 && (
          <MoreFilters
            fields={more}
            all={chips}
            values={values}
            typed={typed}
            onType={type}
            onChoose={(key, value) => apply({ [key]: value })}
          />
        )}
        {set.length > 0 && (
          <button type="button" className="filters-clear" onClick={clear}>
            {t('filter.clear')}
          </button>
        )}
      </div>
    </form>
  )
}

type FoldProps = { controls: string; count: number; isUnfolded: boolean; onPress: () => void }

/** On a phone one button with the number of filters that are set stands for the others. */
const Fold = ({ controls, count, isUnfolded, onPress }: FoldProps) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="button filters-fold"
      aria-expanded={isUnfolded}
      aria-controls={controls}
      onClick={onPress}
    >
      <Icon name="sliders" size={16} />
      {t('filter.title')} {count > 0 && <span className="filters-count">{count}</span>}
    </button>
  )
}

/** Without what is empty or not a field, in the order of the fields. */
const cleaned = (fields: readonly FilterField[], values: FilterValues): FilterValues =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = cleanedValue(field, values[field.key])
      return value ? [[field.key, value]] : []
    }),
  )

const SearchButton = ({ busy }: { busy: boolean }) => {
  const { t } = useWords()
  return (
    <button type="submit" className="filters-search" aria-label={t('action.search')} aria-busy={busy}>
      {busy ? <span className="spinner" aria-hidden="true" /> : <Icon name="search" size={16} />}
    </button>
  )
}
