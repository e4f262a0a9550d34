import { Input } from 'antd'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from './field.tsx'

type Props = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  label?: string
  autoFocus?: boolean
}

/** The user's own sign-in password, before something sensitive changes. */
export const CurrentPassword = ({ value, onChange, error, label, autoFocus = true }: Props) => {
  const { t } = useWords()
  return (
    <Field label={label ?? t('payment.login_password')} required error={error}>
      {(control) => (
        <Input.Password
          {...control}
          autoFocus={autoFocus}
          autoComplete="current-password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
