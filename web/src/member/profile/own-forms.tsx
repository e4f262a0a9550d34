import { MAX_NEW_PASSWORD, MAX_NICKNAME } from '@tallyroom/contract/lengths'
import { type FormEvent, useState } from 'react'
import { isNewPassword } from '../../api/first-password.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { useFocusFirstError } from '../card.tsx'
import { Field } from '../field.tsx'
import { useOwnEdit } from './own-edit.ts'

type Props = { onDone: (text: string) => void }

/** SELF-01 */
export const NicknameForm = ({ nickname, onDone }: Props & { nickname: string }) => {
  const { t } = useWords()
  const { save, busy, refused } = useOwnEdit()
  const [typed, setTyped] = useState(nickname)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!busy && (await save({ nickname: typed.trim() })) === 'saved') onDone(t('member.saved'))
  }
  return (
    <form className="m-own-form" onSubmit={(event) => void submit(event)} noValidate>
      {refused && <Alert text={refused} />}
      <Field
        label={t('member.nickname')}
        name="nickname"
        hint={t('member.nickname_hint')}
        autoComplete="nickname"
        maxLength={MAX_NICKNAME}
        autoFocus
        value={typed}
        onChange={setTyped}
      />
      <button type="submit" className="button button-main m-wide" disabled={busy} aria-busy={busy}>
        {t('action.save')}
      </button>
    </form>
  )
}

type PasswordErrors = { current?: string; chosen?: string; again?: string }

/** SELF-01: the server ends the member's other sessions when the password changes. */
export const PasswordForm = ({ username, onDone }: Props & { username: string }) => {
  const { t } = useWords()
  const { save, busy, refused, setRefused } = useOwnEdit()
  const [typed, setTyped] = useState({ current: '', chosen: '', again: '' })
  const [errors, setErrors] = useState<PasswordErrors>({})
  const form = useFocusFirstError(errors)
  const bind = (name: keyof typeof typed) => ({
    name,
    type: 'password' as const,
    required: true,
    value: typed[name],
    error: errors[name],
    onChange: (value: string) => {
      setTyped((now) => ({ ...now, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others)
    },
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = {
      ...(typed.current ? {} : { current: t('session.needs_password') }),
      ...(isNewPassword(typed.chosen) ? {} : { chosen: t('member.password_hint') }),
      ...(typed.again === typed.chosen ? {} : { again: t('account.passwords_differ') }),
    }
    setErrors(found)
    setRefused('')
    if (Object.keys(found).length) return
    const outcome = await save({
      current_password: typed.current,
      password: typed.chosen,
      password_confirmation: typed.again,
    })
    if (outcome === 'saved') onDone(t('account.password_changed'))
    if (outcome === 'wrong_password') setErrors({ current: t('session.wrong_password') })
  }
  return (
    <form ref={form} className="m-own-form" onSubmit={(event) => void submit(event)} noValidate>
      {refused && <Alert text={refused} />}
      <input hidden readOnly name="username" autoComplete="username" value={username} />
      <Field {...bind('current')} label={t('account.current_password')} autoComplete="current-password" autoFocus />
      <Field
        {...bind('chosen')}
        label={t('account.new_password')}
        hint={t('member.password_hint')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
      />
      <Field
        {...bind('again')}
        label={t('account.password_again')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
      />
      <p className="c-note">{t('account.password_others')}</p>
      <button type="submit" className="button button-main m-wide" disabled={busy} aria-busy={busy}>
        {t('account.change_password')}
      </button>
    </form>
  )
}
