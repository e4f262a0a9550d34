import { Input, type InputRef } from 'antd'
import { useEffect, useRef } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from './field.tsx'

type Props = {
  value: string
  onChange: (value: string) => void
  /** A try with this password is on its way. When it was refused, the password is selected, to type over it. */
  isSending: boolean
}

/** The payment password, asked for after the points have been confirmed. */
export const PaymentPassword = ({ value, onChange, isSending }: Props) => {
  const { t } = useWords()
  const input = useRef<InputRef>(null)
  const wasSending = useRef(false)
  useEffect(() => {
    if (wasSending.current && !isSending) input.current?.focus({ cursor: 'all' })
    wasSending.current = isSending
  }, [isSending])
  return (
    <Field label={t('payment.password')} required>
      {(control) => (
        <Input.Password
          {...control}
          ref={input}
          autoFocus
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
