import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { type FormEvent, useState } from 'react'
import { refusedBy } from '../../../api/call.ts'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { CurrentPassword } from '../../../ui/form/current-password.tsx'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import { PasswordPair, usePasswordErrors } from '../fields.tsx'

const empty = { current: '', password: '', confirmation: '' }

/** The user's own sign-in password. Changing it ends the user's other sessions. */
export const OwnPasswordForm = ({ own }: { own: Pick<Answer<'user/view'>, 'id' | 'username'> }) => {
  const { t } = useWords()
  const edit = useSend('user/edit', { refreshes: ['session/list'] })
  const passwordErrors = usePasswordErrors()
  const [typed, setTyped] = useState(empty)
  const [errors, setErrors] = useState<Partial<typeof empty>>({})
  const wrongPassword = edit.error && refusedBy('user/edit', edit.error, 'session.wrong_password')
  const change = (changed: Partial<typeof empty>) => {
    setTyped((before) => ({ ...before, ...changed }))
    setErrors({})
    if (changed.current !== undefined && wrongPassword) edit.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (edit.isPending) return
    const found = { ...(typed.current ? {} : { current: t('field.needed') }), ...passwordErrors(typed) }
    setErrors(found)
    if (Object.keys(found).length) return
    edit.mutate(
      {
        id: own.id,
        current_password: typed.current,
        password: typed.password,
        password_confirmation: typed.confirmation,
      },
      {
        onSuccess: () => {
          setTyped(empty)
          notify.done(t('account.password_changed'))
        },
      },
    )
  }
  return (
    <form className="card" onSubmit={submit} noValidate>
      <h2>{t('account.sign_in_password')}</h2>
      <p className="card-hint">{t('account.password_others')}</p>
      {edit.error && !wrongPassword && <Alert text={edit.error.message} />}
      <input hidden readOnly name="username" autoComplete="username" value={own.username} />
      <CurrentPassword
        label={t('account.current_password')}
        autoFocus={false}
        value={typed.current}
        error={errors.current ?? (wrongPassword ? edit.error.message : undefined)}
        onChange={(current) => change({ current })}
      />
      <PasswordPair
        label={t('account.new_password')}
        again={t('account.password_again')}
        hint={t('account.password_rule')}
        typed={typed}
        errors={errors}
        onChange={change}
      />
      <div className="card-buttons">
        <Button htmlType="submit" loading={edit.isPending}>
          {t('account.change_password')}
        </Button>
      </div>
    </form>
  )
}
