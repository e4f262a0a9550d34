import { type ChangeEvent, useId, useState } from 'react'
import { takeFocus } from '../ui/focus.ts'
import { useWords } from '../i18n/i18n.ts'

type Props = {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: string
  type?: 'text' | 'password'
  autoComplete: string
  /** Also shows a counter. */
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
  const { t } = useWords()
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <div className="m-field">
      <label htmlFor={id}>{label}</label>
      <div className="m-input">
        <input
          ref={autoFocus ? takeFocus : null}
          id={id}
          name={name}
          type={shown ? 'text' : type}
          value={value}
          maxLength={maxLength}
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={Boolean(error)}
          aria-describedby={`${id}-more`}
          onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
          {...rest}
        />
        {type === 'password' && (
          <button type="button" className="c-link" aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? t('member.hide_password') : t('member.show_password')}
          </button>
        )}
      </div>
      <div id={`${id}-more`} className="m-more">
        <span data-error={error ? true : undefined}>{error ?? hint}</span>
        {maxLength !== undefined && (
          <span className="points">
            {value.length}/{maxLength}
          </span>
        )}
      </div>
    </div>
  )
}
