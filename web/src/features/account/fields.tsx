import { MAX_NEW_PASSWORD } from '@tallyroom/contract/lengths'
import { typedKey } from '@tallyroom/contract/text/typed-key'
import type { ComponentProps } from 'react'
import { PicturePicker } from '../../media/picture-picker.tsx'
import { Button } from '../../ui/control/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import type { FieldState, Rules } from '../../ui/form/use-form.ts'
import { Avatar } from '../../ui/person.tsx'
import { type Translate, useWords } from '../../i18n/i18n.ts'

const PASSWORD = /^[A-Za-z0-9]{4,15}$/
const USERNAME = /^[A-Za-z0-9_.-]{4,10}$/
const isPassword = (text: string) => PASSWORD.test(text)
export const isUsername = (text: string) => USERNAME.test(typedKey(text))

/** ACC-07: letters and digits only, at most 15, with a counter. */
const PasswordField = (props: Omit<ComponentProps<typeof TextField>, 'type'>) => (
  <TextField {...props} type="password" maxLength={MAX_NEW_PASSWORD} showCount autoComplete="new-password" />
)

type Passwords = { password: string; confirmation: string }
type PairProps = {
  label: string
  again: string
  hint: string
  required?: boolean
  field: (name: keyof Passwords) => FieldState<string>
}

/** A new password, typed twice. */
export const PasswordPair = ({ label, again, hint, required = false, field }: PairProps) => (
  <>
    <PasswordField label={label} hint={hint} required={required} {...field('password')} />
    <PasswordField label={again} required={required} {...field('confirmation')} />
  </>
)

/** `isOptional`: nothing need be typed. */
export const passwordRules = (t: Translate, isOptional = false): Rules<Passwords> => ({
  password: (text, { confirmation }) =>
    !(isOptional && text === '' && confirmation === '') && !isPassword(text) && t('account.password_rule'),
  confirmation: (text, { password }) => text !== password && t('account.passwords_differ'),
})

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
        <Button plain onClick={() => onChange('')}>
          {t('account.remove_picture')}
        </Button>
      )}
    </div>
  )
}
