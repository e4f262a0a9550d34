import { useId } from 'react'
import type { FieldProps } from '../form/field.tsx'
import './segments.css'

type Props<V> = FieldProps & {
  label: string
  options: readonly { value: V; label: string }[]
  value: V | undefined
  onChange: (value: V) => void
}

/** Options side by side, one of which always applies. */
export function Segments<V extends string | number>({ label, options, value, onChange, ...field }: Props<V>) {
  const name = useId()
  return (
    <div {...field} className="segment" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className="segment-part">
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  )
}
