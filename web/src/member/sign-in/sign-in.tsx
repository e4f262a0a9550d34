import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { refusedBy } from '../../api/call.ts'
import { offersPasskeySignIn, type RecoveryWays, recoveryWays } from '../../api/passkey.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Card } from '../card.tsx'
import { Field } from '../field.tsx'
import { storedLook, useInvitation } from '../look.ts'
import { NewPasswordForm } from './new-password.tsx'
import { enterWithPasskey, signIn, useSession } from '../session.ts'
import { loadSheetWords } from '../sheet-words.ts'

const RecoverForm = lazy(async () => ({ default: (await import('../../domain/recover-form.tsx')).RecoverForm }))

const SitePage = lazy(async () => {
  const [{ SitePage: page }] = await Promise.all([import('./site-page.tsx'), loadSheetWords()])
  return { default: page }
})

type Props = { onSignUp?: () => void; isBySite?: boolean }

/** The form, or what is there in its place where the page around signs its member in. */
export const SignInPage = ({ isBySite = false, onSignUp }: Props) =>
  isBySite ? (
    <Suspense>
      <SitePage onForm={onSignUp} />
    </Suspense>
  ) : (
    <SignInForm {...(onSignUp ? { onSignUp } : {})} />
  )

const SignInForm = ({ onSignUp }: { onSignUp?: () => void }) => {
  const { t } = useWords()
  const { ended } = useSession()
  const { look } = useInvitation(storedLook()?.code ?? '')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(ended)
  const [choosing, setChoosing] = useState(false)
  const [isPasskeyOffered, setPasskeyOffered] = useState(false)
  const [ways, setWays] = useState<RecoveryWays>()
  const [recovering, setRecovering] = useState(false)
  const [done, setDone] = useState('')
  useEffect(() => {
    void offersPasskeySignIn().then(setPasskeyOffered, () => {})
    void recoveryWays().then(setWays, () => {})
  }, [])

  const attempt = async (enter: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setRefused(undefined)
    try {
      await enter()
    } catch (error) {
      if (refusedBy('login', error, 'session.needs_new_password')) setChoosing(true)
      else setRefused(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => signIn({ username, password }))
  }

  if (choosing)
    return (
      <Card title={t('member.sign_in')} lead={t('session.needs_new_password')} look={look}>
        <NewPasswordForm own={{ username, password }} onLeave={() => setChoosing(false)} />
      </Card>
    )
  if (recovering && ways)
    return (
      <Card title={t('recover.title')} look={look}>
        <Suspense>
          <RecoverForm
            face="member"
            ways={ways}
            username={username}
            look={{ wide: 'm-wide', back: 'c-link m-wide' }}
            onDone={(name) => {
              setUsername(name)
              setPassword('')
              setRefused(undefined)
              setDone(t('recover.done'))
              setRecovering(false)
            }}
            onLeave={() => setRecovering(false)}
          />
        </Suspense>
      </Card>
    )
  return (
    <Card title={t('member.sign_in')} look={look}>
      {done && (
        <p className="m-done" role="status">
          {done}
        </p>
      )}
      <form onSubmit={submit} noValidate>
        {refused && <Alert text={refused} />}
        <Field
          label={t('member.username')}
          name="username"
          autoComplete="username"
          required
          // After a password was replaced, the name is known and the new password is what is missing.
          autoFocus={done === ''}
          value={username}
          onChange={setUsername}
        />
        <Field
          label={t('member.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={done !== ''}
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
      {isPasskeyOffered && (
        <button type="button" className="button m-wide" onClick={() => void attempt(enterWithPasskey)}>
          {t('passkey.sign_in')}
        </button>
      )}
      {ways && (
        <button type="button" className="c-link m-wide" onClick={() => setRecovering(true)}>
          {t('recover.title')}
        </button>
      )}
      {onSignUp && (
        <button type="button" className="c-link m-wide" onClick={onSignUp}>
          {t('member.to_sign_up')}
        </button>
      )}
    </Card>
  )
}
