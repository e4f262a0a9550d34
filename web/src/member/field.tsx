import { type ChangeEvent, useId } from 'react'
import { takeFocus } from '../ui/keyboard/focus.ts'
import { PasswordInput } from '../ui/form/password-input.tsx'

type Props = {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: string
  type?: 'text' | 'password'
  autoComplete: string
  maxLength?: number
  required?: boolean
  autoFocus?: boolean
}

/** A form field with label, error and hint, linked for screen readers. */
export const Field = ({
  label,
  name,
  value,
  onChange,
  error,
  hint,
  type = 'text',
  maxLength,
  autoFocus = false,
  ...rest
}: Props) => {
  const id = useId()
  const ref = autoFocus ? takeFocus : null
  const input = {
    ...rest,
    id,
    name,
    value,
    maxLength,
    'aria-invalid': Boolean(error),
    'aria-describedby': `${id}-more`,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value),
  }
  return (
    <div className="m-field">
      <label htmlFor={id}>{label}</label>
      {type === 'password' ? (
        <PasswordInput {...input} inputRef={ref} />
      ) : (
        <input {...input} ref={ref} className="input" autoCapitalize="none" spellCheck={false} />
      )}
      <div id={`${id}-more`} className="m-more">
        {error ? (
          // A key of its own: an element that only becomes an alert is not read out.
          <span key="error" data-error role="alert">
            {error}
          </span>
        ) : (
          <span>{hint}</span>
        )}
      </div>
    </div>
  )
}
