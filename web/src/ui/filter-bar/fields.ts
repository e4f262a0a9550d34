import type { Translate } from '../../i18n/i18n.ts'
import {
  type Preset,
  type Range,
  daysOfPeriod,
  daysOfPreset,
  HOURS_24,
  isBackward,
  lastRange,
  presets,
  presetWords,
  rangeOfPeriod,
} from '../form/range.ts'
import { amountsValue, shownAmounts } from './amounts.ts'

/**
 * What a list can be filtered by. To add a field to a list:
 *
 * 1. Add an entry to the list's fields. Its `key` is the name in the address (`?status=1`) and in saved views.
 * 2. Read `values[key]` where the page makes its call. It is text, checked by nobody: an address can hold anything, so use
 *    `amountsOf`, `choicesOf`, `rangeOfPeriod` or a check of your own. What is not set is missing.
 *
 * The bar, its chips, the phone's button, the address and the saved views follow from the entry. A field that holds a
 * person's name must also be in `nameKeys` of contract/calls/office/list-view.ts: colleagues who see names masked do not get
 * such views.
 */
export type FilterField = { key: string; label: string } & (
  | TextField
  | ChoiceField
  | ChoicesField
  | { kind: 'amounts' }
  | PeriodField
  | GivenField
  | HiddenField
)
export type FilterOption = { value: string; label: string }

/** `inline`: a text box of the bar itself; without it, behind a chip. `wide`: for a long placeholder. */
type TextField = { kind: 'text'; inline?: true; wide?: true; placeholder?: string; maxLength?: number }
/** One of the options. `isSwitch`: always one of them, shown side by side; the first is not in the address. */
type ChoiceField = { kind: 'choice'; options: readonly FilterOption[]; isSwitch?: true }
/** Any number of the options, in the address as "1,3". */
type ChoicesField = { kind: 'choices'; options: readonly FilterOption[] }
/**
 * `fallback`: which preset nothing in the address means, `day` for the last 24 hours; without one any time. `minutes`: with
 * times, otherwise whole days.
 */
type PeriodField = {
  kind: 'period'
  fallback?: Preset | 'day'
  minutes?: true
  from?: string
  to?: string
  /** In a list of which nobody knows what the days are about. */
  isLabelShown?: true
}
/** Set by a link, and only to be removed. `shown`: the chip's text. */
type GivenField = { kind: 'given'; shown: string }

/** Set by a view, which shows it. */
type HiddenField = { kind: 'hidden' }

/** What is set, by the fields' keys. Never an empty text. */
export type FilterValues = Readonly<Record<string, string>>

export const isInline = (field: FilterField): field is FilterField & { kind: 'text' } =>
  field.kind === 'text' && field.inline === true
/** Says which list this is: it is always shown elsewhere than in a chip, and clearing the filters keeps it. */
export const saysList = (field: FilterField) =>
  field.kind === 'hidden' || (field.kind === 'choice' && field.isSwitch === true)

/** What was typed into the field, as the address holds it; empty if it is nothing. */
export const cleanedValue = (field: FilterField, typed = ''): string => {
  if (field.kind !== 'amounts') return typed.trim()
  return amountsValue(typed)
}

/** Amounts in words, and two times of which the first is the later one: the panel says so, and nothing is asked for. */
export const isUnusable = (field: FilterField, typed = ''): boolean => {
  if (field.kind === 'amounts') return typed.trim() !== '' && amountsValue(typed) === ''
  if (field.kind !== 'period') return false
  const range = daysOfPeriod(typed) ?? rangeOfPeriod(typed)
  return range !== undefined && isBackward(range)
}

/** "1,3" -> ["1", "3"], without what is not an option. */
export const choicesOf = <T extends string>(value: string | undefined, known: readonly T[]): T[] => {
  const chosen = new Set<string>(value?.split(','))
  return known.filter((one) => chosen.has(one))
}

/** The chip's text; empty if the value says nothing that the field knows. */
export const shownValue = (t: Translate, field: FilterField, value: string): string => {
  if (field.kind === 'text' || value === '') return value
  if (field.kind === 'hidden') return ''
  if (field.kind === 'given') return field.shown
  if (field.kind === 'choice') return field.options.find((option) => option.value === value)?.label ?? ''
  if (field.kind === 'choices') return shownChoices(t, field, value)
  return field.kind === 'amounts' ? shownAmounts(t, value) : shownPeriod(t, value)
}

const shownChoices = (t: Translate, { options }: ChoicesField, value: string) => {
  const chosen = choicesOf(
    value,
    options.map((option) => option.value),
  )
  if (chosen.length > 2) return t('filter.several', { n: chosen.length })
  return options.flatMap((option) => (chosen.includes(option.value) ? [option.label] : [])).join(', ')
}

/** What a list of this period shows: what is set, and else what it shows without a choice. */
export const rangeOf = ({ fallback, minutes }: PeriodField, value: string): Range => {
  if (!minutes) return daysOfPeriod(value) ?? daysOfPreset(fallback === 'day' ? 'today' : (fallback ?? 'today'))
  return rangeOfPeriod(value) ?? (fallback === 'day' ? lastRange(HOURS_24) : lastRange())
}

/** Without the year, which the panel shows. */
const shownPeriod = (t: Translate, value: string) => {
  const preset = presets.find((name) => name === value)
  if (preset) return t(presetWords[preset])
  const days = daysOfPeriod(value)
  const { start, end } = days ?? rangeOfPeriod(value) ?? { start: '', end: '' }
  return start === end ? start.slice(5) : `${start.slice(5)} – ${end.slice(5)}`
}
