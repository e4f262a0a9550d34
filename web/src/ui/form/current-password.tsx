import { useWords } from '../../i18n/i18n.ts'
import { TextField } from './text-field.tsx'

type Props = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  label?: string
  hint?: string
  autoFocus?: boolean
}

/** The user's own sign-in password, before something sensitive changes. */
export const CurrentPassword = ({ label, autoFocus = true, ...rest }: Props) => {
  const { t } = useWords()
  return (
    <TextField
      {...rest}
      label={label ?? t('payment.login_password')}
      type="password"
      required
      autoFocus={autoFocus}
      autoComplete="current-password"
    />
  )
}

/** The same field, shown after the server has asked for the password: the reason stands below it. */
export const PasswordAgain = (props: Pick<Props, 'value' | 'onChange' | 'error'>) => {
  const { t } = useWords()
  return <CurrentPassword {...props} hint={t('session.password_hint')} />
}
