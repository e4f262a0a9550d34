import { Input } from 'antd'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from './field.tsx'

type Props = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  label?: string
  hint?: string
  autoFocus?: boolean
}

/** The user's own sign-in password, before something sensitive changes. */
export const CurrentPassword = ({ value, onChange, error, label, hint, autoFocus = true }: Props) => {
  const { t } = useWords()
  return (
    <Field label={label ?? t('payment.login_password')} required error={error} hint={hint}>
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

/** The same field, shown after the server has asked for the password: the reason stands below it. */
export const PasswordAgain = (props: Pick<Props, 'value' | 'onChange'>) => {
  const { t } = useWords()
  return <CurrentPassword {...props} hint={t('session.password_hint')} />
}
