import { type ReactNode, useId } from 'react'

/** Attributes that link a control to its label, hint and error. */
export type FieldProps = {
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  'aria-required'?: boolean
}

type Props = {
  label: string
  required?: boolean
  hint?: ReactNode
  error?: string | undefined
  children: (control: FieldProps) => ReactNode
}

export const Field = ({ label, required = false, hint: known, error, children }: Props) => {
  const id = useId()
  // Show a rule once, not as hint and as error.
  const hint = known === error ? undefined : known
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && (
          <span className="field-mark" aria-hidden="true">
            {' *'}
          </span>
        )}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-required': required,
        ...(described ? { 'aria-describedby': described } : {}),
      })}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  )
}
