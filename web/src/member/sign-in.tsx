import { type FormEvent, useState } from 'react'
import { refusedBy } from '../api/call.ts'
import { Alert } from '../ui/overlay/message.tsx'
import { useWords } from '../i18n/i18n.ts'
import { Card } from './card.tsx'
import { Field } from './field.tsx'
import { storedLook, useInvitation } from './look.ts'
import { NewPasswordForm } from './new-password.tsx'
import { signIn, useSession } from './session.ts'

export const SignInPage = ({ onSignUp }: { onSignUp?: () => void }) => {
  const { t } = useWords()
  const { ended } = useSession()
  const { look } = useInvitation(storedLook()?.code ?? '')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(ended)
  const [choosing, setChoosing] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setRefused(undefined)
    try {
      await signIn({ username, password })
    } catch (error) {
      if (refusedBy('login', error, 'session.needs_new_password')) setChoosing(true)
      else setRefused(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }

  if (choosing)
    return (
      <Card title={t('member.sign_in')} lead={t('session.needs_new_password')} look={look}>
        <NewPasswordForm own={{ username, password }} onLeave={() => setChoosing(false)} />
      </Card>
    )
  return (
    <Card title={t('member.sign_in')} look={look}>
      <form onSubmit={submit} noValidate>
        {refused && <Alert text={refused} />}
        <Field
          label={t('member.username')}
          name="username"
          autoComplete="username"
          autoFocus
          value={username}
          onChange={setUsername}
        />
        <Field
          label={t('member.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <button
          type="submit"
          className="button button-main m-wide"
          disabled={busy || !username.trim() || !password}
          aria-busy={busy}
        >
          {t('member.sign_in')}
        </button>
      </form>
      {onSignUp && (
        <button type="button" className="c-link m-wide" onClick={onSignUp}>
          {t('member.to_sign_up')}
        </button>
      )}
    </Card>
  )
}
