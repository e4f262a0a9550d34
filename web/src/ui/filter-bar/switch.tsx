import { useId } from 'react'
import type { FilterOption } from './fields.ts'

type Props = {
  label: string
  options: readonly FilterOption[]
  /** Undefined: the first option. */
  value: string | undefined
  /** Empty for the first option. */
  onChange: (value: string) => void
}

/** Options side by side, one of which always applies. */
export const Switch = ({ label, options, value, onChange }: Props) => {
  const name = useId()
  const isKnown = options.some((option) => option.value === value)
  return (
    <div className="segment" role="radiogroup" aria-label={label}>
      {options.map((option, at) => (
        <label key={option.value} className="segment-part">
          <input
            type="radio"
            name={name}
            checked={isKnown ? option.value === value : at === 0}
            onChange={() => onChange(at === 0 ? '' : option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
