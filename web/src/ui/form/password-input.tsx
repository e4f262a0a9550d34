import { type ComponentProps, type Ref, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import './password-input.css'

type Props = Omit<ComponentProps<'input'>, 'ref' | 'type'> & { inputRef?: Ref<HTMLInputElement> }

/** A password field of the pages without the library, with a button that shows what is typed. */
export const PasswordInput = ({ inputRef, className = 'input', ...input }: Props) => {
  const { t } = useWords()
  const [shown, setShown] = useState(false)
  return (
    <span className="password-input">
      {/* Shown, it is a text like any other: no capital letters, and no spelling service that reads it. */}
      <input
        {...input}
        ref={inputRef}
        className={className}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
      />
      <button type="button" aria-pressed={shown} aria-controls={input.id} onClick={() => setShown(!shown)}>
        {t(shown ? 'field.hide_password' : 'field.show_password')}
      </button>
    </span>
  )
}
