import { type ReactNode, useId } from 'react'
import './radio.css'

type Option<V> = { value: V; label: ReactNode }

type Props<V> = {
  options: readonly Option<V>[]
  value: V | undefined
  onChange: (value: V) => void
  /** Without one, the fieldset around it gives the name. */
  label?: string
  autoFocus?: boolean
}

/** One of several, below each other. Arrow keys choose. */
export function RadioGroup<V extends string | number>({ options, value, onChange, label, autoFocus }: Props<V>) {
  const name = useId()
  return (
    <div className="radios" role="radiogroup" aria-label={label}>
      {options.map((option, at) => (
        <label key={option.value} className="radio">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            autoFocus={autoFocus && at === 0}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
