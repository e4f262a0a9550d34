import { type ComponentProps, type Ref, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Count } from '../control/count.tsx'
import './password-input.css'

type Props = Omit<ComponentProps<'input'>, 'ref' | 'type'> & {
  inputRef?: Ref<HTMLInputElement>
  showCount?: boolean
}

/** A password field with a button that shows what is typed. */
export const PasswordInput = ({ inputRef, className = 'input', showCount = false, ...input }: Props) => {
  const { t } = useWords()
  const [shown, setShown] = useState(false)
  return (
    <span className="password-input" data-counted={showCount || undefined}>
      {/* Shown, it is a text like any other: no capital letters, and no spelling service that reads it. */}
      <input
        {...input}
        ref={inputRef}
        className={className}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
      />
      {showCount && <Count value={input.value} maxLength={input.maxLength} />}
      <button type="button" aria-pressed={shown} aria-controls={input.id} onClick={() => setShown(!shown)}>
        {t(shown ? 'field.hide_password' : 'field.show_password')}
      </button>
    </span>
  )
}
