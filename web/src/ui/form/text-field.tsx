import type { HTMLAttributes, ReactNode } from 'react'
import { Input, TextArea } from '../control/input.tsx'
import { Field } from './field.tsx'
import { PasswordInput } from './password-input.tsx'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  required?: boolean
  hint?: ReactNode
  type?: 'text' | 'password' | 'url' | 'time'
  maxLength?: number
  showCount?: boolean
  /** Several lines. */
  rows?: number
  disabled?: boolean
  placeholder?: string
  autoFocus?: boolean
  autoComplete?: string
  className?: string
  dir?: 'auto'
  inputMode?: Exclude<HTMLAttributes<HTMLInputElement>['inputMode'], undefined>
}

/** A field for a text, with label, error and hint. */
export const TextField = ({ label, onChange, error, required = false, hint, type = 'text', rows, ...rest }: Props) => (
  <Field label={label} required={required} error={error} hint={hint}>
    {(control) => {
      const input = {
        ...control,
        ...rest,
        onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
      }
      if (rows !== undefined) return <TextArea {...input} rows={rows} />
      return type === 'password' ? <PasswordInput {...input} /> : <Input {...input} type={type} />
    }}
  </Field>
)
