import { MAX_NEW_PASSWORD } from '@tallyroom/contract/lengths'
import { typedKey } from '@tallyroom/contract/text/typed-key'
import { Button, Input } from 'antd'
import type { ReactNode } from 'react'
import { PicturePicker } from '../../media/picture-picker.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Avatar } from '../../ui/person.tsx'
import { useWords } from '../../i18n/i18n.ts'

const PASSWORD = /^[A-Za-z0-9]{4,15}$/
const USERNAME = /^[A-Za-z0-9_.-]{4,10}$/
const isPassword = (text: string) => PASSWORD.test(text)
export const isUsername = (text: string) => USERNAME.test(typedKey(text))

type TextProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  required?: boolean
  hint?: ReactNode
  maxLength?: number
  autoFocus?: boolean
  autoComplete?: string
}

export const TextField = ({ label, value, onChange, error, required = false, hint, ...rest }: TextProps) => (
  <Field label={label} required={required} error={error} hint={hint}>
    {(control) => <Input {...control} value={value} onChange={(event) => onChange(event.target.value)} {...rest} />}
  </Field>
)

/** ACC-07: letters and digits only, at most 15, with a counter. */
const PasswordField = ({ label, value, onChange, error, required = false, hint }: TextProps) => (
  <Field label={label} required={required} error={error} hint={hint}>
    {(control) => (
      <Input.Password
        {...control}
        value={value}
        maxLength={MAX_NEW_PASSWORD}
        showCount
        autoComplete="new-password"
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

type Passwords = { password: string; confirmation: string }
type PairProps = {
  label: string
  again: string
  hint: string
  required?: boolean
  typed: Passwords
  errors: Partial<Passwords>
  onChange: (change: Partial<Passwords>) => void
}

/** A new password, typed twice. */
export const PasswordPair = ({ label, again, hint, required = false, typed, errors, onChange }: PairProps) => (
  <>
    <PasswordField
      label={label}
      hint={hint}
      required={required}
      value={typed.password}
      onChange={(password) => onChange({ password })}
      error={errors.password}
    />
    <PasswordField
      label={again}
      required={required}
      value={typed.confirmation}
      onChange={(confirmation) => onChange({ confirmation })}
      error={errors.confirmation}
    />
  </>
)

type AvatarProps = {
  value: string
  name: string
  onChange: (dataUrl: string) => void
  removable?: boolean
  /** True while a picked file is being read: a form saved now would miss it. */
  onReading: (reading: boolean) => void
}

export const AvatarField = ({ value, name, onChange, removable = true, onReading }: AvatarProps) => {
  const { t } = useWords()
  return (
    <div className="field avatar-field">
      <Avatar src={value} name={name} size={64} />
      <PicturePicker label={t('account.picture')} onPicked={onChange} onReading={onReading} />
      {value && removable && (
        <Button type="text" onClick={() => onChange('')}>
          {t('account.remove_picture')}
        </Button>
      )}
    </div>
  )
}

/** Errors of a password and its confirmation. */
export const usePasswordErrors = () => {
  const { t } = useWords()
  return ({ password, confirmation }: Passwords) => ({
    ...(isPassword(password) ? {} : { password: t('account.password_rule') }),
    ...(confirmation === password ? {} : { confirmation: t('account.passwords_differ') }),
  })
}
