import { useRef } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { useTextLimit } from '../control/use-text-limit.ts'
import { Icon } from '../icon.tsx'

type Props = {
  label: string
  placeholder: string
  maxLength?: number
  value: string
  onChange: (value: string) => void
}

/** A search field with a button that clears it. */
export const ClearInput = ({ label, placeholder, maxLength, value, onChange }: Props) => {
  const { t } = useWords()
  const field = useRef<HTMLInputElement>(null)
  const limited = useTextLimit<HTMLInputElement>({
    maxLength,
    value,
    onChange: ({ target }) => onChange(target.value),
  })
  const clear = () => {
    onChange('')
    field.current?.focus()
  }
  return (
    <span className="clear-input">
      <input
        ref={field}
        className="input"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        value={value}
        {...limited}
      />
      {value && (
        // Not in the tab order: keyboard users clear the field in the field.
        <button type="button" className="icon-button" tabIndex={-1} aria-label={t('action.clear')} onClick={clear}>
          <Icon name="close" size={14} />
        </button>
      )}
    </span>
  )
}
