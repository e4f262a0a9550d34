import { useId } from 'react'
import { useTextLimit } from '../ui/control/use-text-limit.ts'
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
    'aria-invalid': Boolean(error),
    'aria-describedby': `${id}-more`,
  }
  const take = ({ target }: { target: HTMLInputElement }) => onChange(target.value)
  const limited = useTextLimit({ maxLength, value, onChange: take })
  return (
    <div className="m-field">
      <label htmlFor={id}>{label}</label>
      {type === 'password' ? (
        <PasswordInput {...input} maxLength={maxLength} onChange={take} inputRef={ref} />
      ) : (
        <input {...input} {...limited} ref={ref} className="input" autoCapitalize="none" spellCheck={false} />
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
