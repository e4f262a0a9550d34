import { useEffect, useRef } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from './field.tsx'
import { PasswordInput } from './password-input.tsx'

type Props = {
  value: string
  onChange: (value: string) => void
  /** A try with this password is on its way. When it was refused, the password is selected, to type over it. */
  isSending: boolean
}

/** The payment password, asked for after the points have been confirmed. */
export const PaymentPassword = ({ value, onChange, isSending }: Props) => {
  const { t } = useWords()
  const input = useRef<HTMLInputElement>(null)
  const wasSending = useRef(false)
  useEffect(() => {
    if (wasSending.current && !isSending) {
      input.current?.focus()
      input.current?.select()
    }
    wasSending.current = isSending
  }, [isSending])
  return (
    <Field label={t('payment.password')} required>
      {(control) => (
        <PasswordInput
          {...control}
          inputRef={input}
          autoFocus
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
