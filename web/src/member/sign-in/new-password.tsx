import { MAX_NEW_PASSWORD } from '@tallyroom/contract/lengths'
import { type FormEvent, useState } from 'react'
import { isNewPassword } from '../../api/first-password.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from '../field.tsx'
import { signInWithNew } from '../session.ts'

type Props = { own: { username: string; password: string }; onLeave: () => void }

/** W18: a member whose password was set by the back office must choose a new one first. */
export const NewPasswordForm = ({ own, onLeave }: Props) => {
  const { t } = useWords()
  const [chosen, setChosen] = useState('')
  const [again, setAgain] = useState('')
  const [errors, setErrors] = useState<{ chosen?: string; again?: string }>({})
  const [refused, setRefused] = useState('')
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = {
      ...(isNewPassword(chosen) ? {} : { chosen: t('member.password_hint') }),
      ...(again === chosen ? {} : { again: t('account.passwords_differ') }),
    }
    setErrors(found)
    setRefused('')
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      await signInWithNew(own, chosen)
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} noValidate>
      {refused && <Alert text={refused} />}
      <input hidden readOnly name="username" autoComplete="username" value={own.username} />
      <Field
        label={t('account.new_password')}
        name="chosen"
        type="password"
        hint={t('member.password_hint')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
        autoFocus
        value={chosen}
        error={errors.chosen}
        onChange={setChosen}
      />
      <Field
        label={t('account.password_again')}
        name="again"
        type="password"
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
        value={again}
        error={errors.again}
        onChange={setAgain}
      />
      <button type="submit" className="button button-main m-wide" disabled={busy} aria-busy={busy}>
        {t('session.save_password')}
      </button>
      <button type="button" className="c-link m-wide" onClick={onLeave}>
        {t('action.back')}
      </button>
    </form>
  )
}
