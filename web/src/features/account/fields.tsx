import { Button, Input } from 'antd'
import { type ChangeEvent, useRef } from 'react'
import { ImageRefused, prepareImage } from '../../media/resize.ts'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/message.tsx'
import { Avatar } from '../../ui/person.tsx'
import { useWords } from '../../words.ts'

export const PASSWORD_MOST = 15
const PASSWORD = /^[A-Za-z0-9]{4,15}$/
const USERNAME = /^[A-Za-z0-9_.-]{4,10}$/
export const isPassword = (text: string) => PASSWORD.test(text)
export const isUsername = (text: string) => USERNAME.test(text.trim())

type TextProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  required?: boolean
  hint?: string | undefined
  maxLength?: number
  autoFocus?: boolean
  autoComplete?: string
}

export const TextField = ({ label, value, onChange, error, required = false, hint, ...rest }: TextProps) => (
  <Field label={label} required={required} error={error} hint={hint}>
    {(control) => <Input {...control} value={value} onChange={(event) => onChange(event.target.value)} {...rest} />}
  </Field>
)

/** ACC-07: letters and digits only, with a counter at 15. */
export const PasswordField = ({ label, value, onChange, error, required = false, hint }: TextProps) => (
  <Field label={label} required={required} error={error} hint={hint}>
    {(control) => (
      <Input.Password
        {...control}
        value={value}
        maxLength={PASSWORD_MOST}
        showCount
        autoComplete="new-password"
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

type AvatarProps = { value: string; name: string; onChange: (dataUrl: string) => void; removable?: boolean }

/** A picked file becomes an inline image; what is none is refused before it is sent. */
export const AvatarField = ({ value, name, onChange, removable = true }: AvatarProps) => {
  const { t } = useWords()
  const picker = useRef<HTMLInputElement>(null)
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    try {
      onChange((await prepareImage(file)).content)
    } catch (error) {
      const large = error instanceof ImageRefused && error.why === 'too_large'
      notify.refused(t(large ? 'message.image_too_large' : 'account.image_invalid'))
    }
  }
  return (
    <div className="field avatar-field">
      <Avatar src={value} name={name} size={64} />
      <input
        ref={picker}
        className="heard"
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={t('account.picture')}
        onChange={(event) => void take(event)}
      />
      <Button icon={<Icon name="image" size={16} />} onClick={() => picker.current?.click()}>
        {t('account.choose_picture')}
      </Button>
      {value && removable && (
        <Button type="text" onClick={() => onChange('')}>
          {t('account.remove_picture')}
        </Button>
      )}
    </div>
  )
}

type Passwords = { password: string; confirmation: string }

/** What is amiss with a pair of passwords, in the words of the form. */
export const usePasswordErrors = () => {
  const { t } = useWords()
  return ({ password, confirmation }: Passwords) => ({
    ...(isPassword(password) ? {} : { password: t('account.password_rule') }),
    ...(confirmation === password ? {} : { confirmation: t('account.passwords_differ') }),
  })
}
