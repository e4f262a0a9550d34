import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { useTextLimit } from '../control/use-text-limit.ts'
import { Icon } from '../icon.tsx'
import { problemText } from '../form/amount-problem.ts'
import { amountsProblem, amountsText, shownAmounts } from './amounts.ts'
import { choicesOf, type FilterField, type FilterOption, type FilterValues, isUnusable, shownValue } from './fields.ts'
import { Panel } from './panel.tsx'

type Props = {
  field: FilterField
  value: string
  /** What the panel holds, before it is applied. */
  typed: string
  onType: (text: string) => void
  onChoose: (value: string) => void
  /** Without a value it is no chip any more, but behind the button that adds filters. */
  isFolded?: boolean
}

/** A filter that is set, with a button that removes it; or one that can be set, with a plus. */
export const FilterChip = ({ field, value, typed, onType, onChoose, isFolded = false }: Props) => {
  const { t } = useWords()
  const shown = value && shownValue(t, field, value)
  const remove = shown && (
    <button
      type="button"
      className="filter-remove"
      aria-label={t('filter.remove', { name: field.label })}
      onClick={({ currentTarget }) => {
        // The button goes with the value: the focus stays in the bar.
        const { parentElement: chip } = currentTarget
        const bar = isFolded ? chip?.closest('form') : undefined
        const adds = bar?.querySelector<HTMLElement>('.filter-add button') ?? bar?.querySelector('input')
        ;(adds ?? chip?.querySelector('button'))?.focus()
        onChoose('')
      }}
    >
      <Icon name="close" size={14} />
    </button>
  )
  if (field.kind === 'given')
    return shown ? (
      <span className="filter" data-set>
        <span className="filter-name">{shown}</span>
        {remove}
      </span>
    ) : null
  return (
    <Panel
      label={field.label}
      trigger={(props) => (
        <span className="filter" data-set={shown ? true : undefined}>
          <button type="button" className="filter-name" {...props}>
            {!shown && <Icon name="plus" size={14} />}
            <span>{field.label}</span> {shown && <b>{shown}</b>}
          </button>
          {remove}
        </span>
      )}
    >
      {(close) => <Editor {...{ field, value, typed, onType, onChoose, close }} />}
    </Panel>
  )
}

type MoreProps = {
  /** Those that are not set. */
  fields: readonly FilterField[]
  /** With those that are: a box that is checked sets its filter, and the next box must stay. */
  all: readonly FilterField[]
  values: FilterValues
  typed: FilterValues
  onType: (key: string, text: string) => void
  onChoose: (key: string, value: string) => void
}

/** One button for all filters that are not set: its panel names them, then edits the chosen one. */
export const MoreFilters = (props: MoreProps) => {
  const { t } = useWords()
  return (
    <Panel
      label={t('filter.add')}
      trigger={(trigger) => (
        <span className="filter filter-add">
          <button type="button" className="filter-name" {...trigger}>
            <Icon name="plus" size={14} />
            <span>{t('filter.add')}</span>
          </button>
        </span>
      )}
    >
      {(close) => <MorePanel {...props} close={close} />}
    </Panel>
  )
}

const MorePanel = ({ fields, all, values, typed, onType, onChoose, close }: MoreProps & { close: () => void }) => {
  const [key, setKey] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  const field = all.find((one) => one.key === key)
  useEffect(() => {
    // The button that was pressed is gone.
    if (key) box.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [key])
  if (!field)
    return (
      <div className="filter-options">
        {fields.map((one) => (
          <button key={one.key} type="button" className="filter-option" onClick={() => setKey(one.key)}>
            {one.label}
          </button>
        ))}
      </div>
    )
  return (
    <div ref={box} className="filter-chosen">
      {/* The other kinds have it beside their box. */}
      {(field.kind === 'choice' || field.kind === 'choices') && <b className="filter-title">{field.label}</b>}
      <Editor
        field={field}
        value={values[field.key] ?? ''}
        typed={typed[field.key] ?? ''}
        onType={(text) => onType(field.key, text)}
        onChoose={(value) => onChoose(field.key, value)}
        close={close}
      />
    </div>
  )
}

/** What a filter's panel holds. */
const Editor = ({ field, value, typed, onType, onChoose, close }: Props & { close: () => void }) => {
  const { t } = useWords()
  const choose = (next: string) => {
    close()
    onChoose(next)
  }
  if (field.kind === 'choice') return <Options options={field.options} value={value} onChoose={choose} />
  if (field.kind === 'choices') return <Boxes options={field.options} value={value} onChoose={onChoose} />
  return (
    <>
      {field.kind === 'amounts' ? (
        <Amounts field={field} typed={typed} onType={onType} />
      ) : (
        <TextInput label={field.label} maxLength={maxLengthOf(field)} typed={typed} onType={onType} />
      )}
      <button type="button" className="button button-main" onClick={() => isUnusable(field, typed) || choose(typed)}>
        {t('filter.apply')}
      </button>
    </>
  )
}

const maxLengthOf = (field: FilterField) =>
  field.kind === 'text' ? (field.maxLength ?? MAX_TYPED_NAME) : MAX_TYPED_NAME

type TypedProps = { typed: string; onType: (text: string) => void }

const TextInput = ({ label, maxLength, typed, onType }: TypedProps & { label: string; maxLength: number }) => {
  const limited = useTextLimit<HTMLInputElement>({
    maxLength,
    value: typed,
    onChange: ({ target }) => onType(target.value),
  })
  return (
    <label className="filter-line">
      <span>{label}</span>
      <input className="input" autoComplete="off" value={typed} {...limited} />
    </label>
  )
}

/** One amount or a range; below it what it is understood as. */
const Amounts = ({ field, typed, onType }: TypedProps & { field: FilterField }) => {
  const { t } = useWords()
  const id = useId()
  const [text, setText] = useState(() => amountsText(typed))
  const isWrong = isUnusable(field, text)
  const problem = isWrong ? amountsProblem(text) : undefined
  const why = problem && problem.problem !== 'not_one' ? problemText(t, problem) : t('filter.amount_help')
  return (
    <>
      <label className="filter-line">
        <span>{field.label}</span>
        <input
          className="input points"
          autoComplete="off"
          // oxlint-disable-next-line tallyroom/text-limit -- Amounts are of digits.
          maxLength={MAX_TYPED_NAME}
          aria-describedby={id}
          aria-invalid={isWrong}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            onType(target.value)
          }}
        />
      </label>
      <p id={id} className="filter-hint" role="status">
        {shownAmounts(t, text, true) || why}
      </p>
    </>
  )
}

type OptionsProps = { options: readonly FilterOption[]; value: string; onChoose: (value: string) => void }

/** A press chooses; a press on the chosen one takes it back. */
const Options = ({ options, value, onChoose }: OptionsProps) => (
  <div className="filter-options">
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        className="filter-option"
        aria-pressed={option.value === value}
        onClick={() => onChoose(option.value === value ? '' : option.value)}
      >
        <Icon name="check" size={14} />
        {option.label}
      </button>
    ))}
  </div>
)

const Boxes = ({ options, value, onChoose }: OptionsProps) => {
  const all = options.map((option) => option.value)
  const chosen = choicesOf(value, all)
  const toggle = (one: string) => onChoose(all.filter((other) => chosen.includes(other) !== (other === one)).join(','))
  return (
    <div className="filter-options">
      {options.map((option) => (
        <label key={option.value} className="filter-option">
          <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  )
}
