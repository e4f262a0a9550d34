import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { call, CallError, newRequestId, NO_ANSWER, refusedBy } from '../api/call.ts'
import { Alert } from '../ui/overlay/message.tsx'
import { useWords } from '../i18n/i18n.ts'
import { Card, useFirstWrong } from './card.tsx'
import { checkSignUp, type SignUp, type SignUpErrors } from './check.ts'
import { Field } from './field.tsx'
import { signUp } from './session.ts'

type Invitation =
  | { state: 'loading' }
  | { state: 'there'; nickname: string }
  | { state: 'refused'; words: string; again: boolean }

export const SignUpPage = ({ shareCode, onSignIn }: { shareCode: string; onSignIn: () => void }) => {
  const { t } = useWords()
  const [invitation, setInvitation] = useState<Invitation>({ state: 'loading' })

  const ask = useCallback(async () => {
    setInvitation({ state: 'loading' })
    try {
      const { nickname } = await call('member/invitation', { share_code: shareCode })
      setInvitation({ state: 'there', nickname })
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      setInvitation({
        state: 'refused',
        words,
        again: !refusedBy('member/invitation', error, 'signup.unknown_share_code'),
      })
    }
  }, [shareCode])
  useEffect(() => void ask(), [ask])

  return (
    <Card
      title={t('member.sign_up')}
      lead={invitation.state === 'there' && t('member.invited_by', { name: invitation.nickname })}
    >
      {invitation.state === 'loading' && <p role="status">{t('chat.loading')}</p>}
      {invitation.state === 'refused' && (
        <>
          <Alert text={invitation.words} />
          {invitation.again && (
            <button type="button" className="button m-wide" onClick={() => void ask()}>
              {t('action.try_again')}
            </button>
          )}
        </>
      )}
      {invitation.state === 'there' && <SignUpForm shareCode={shareCode} />}
      <button type="button" className="c-link m-wide" onClick={onSignIn}>
        {t('member.to_sign_in')}
      </button>
    </Card>
  )
}

const empty: SignUp = { username: '', nickname: '', password: '', password_confirmation: '' }

const SignUpForm = ({ shareCode }: { shareCode: string }) => {
  const { t } = useWords()
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useState<SignUpErrors>({})
  const [refused, setRefused] = useState('')
  const [busy, setBusy] = useState(false)
  const [requestId, setRequestId] = useState(newRequestId)
  const form = useFirstWrong(errors)

  const bind = (name: keyof SignUp) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setValues((now) => ({ ...now, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others)
      // Changed input needs a new request id.
      setRequestId(newRequestId())
    },
  })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const wrong = checkSignUp(values, t)
    setErrors(wrong)
    setRefused('')
    if (Object.keys(wrong).length) return
    setBusy(true)
    try {
      await signUp({ share_code: shareCode, request_id: requestId, ...values })
    } catch (error) {
      const { field, words } = placeOf(error)
      if (field) setErrors({ [field]: words })
      else setRefused(words)
      if (!(error instanceof CallError) || error.code !== NO_ANSWER) setRequestId(newRequestId())
      setBusy(false)
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      {refused && <Alert text={refused} />}
      <Field
        {...bind('username')}
        label={t('member.username')}
        hint={t('member.username_hint')}
        autoComplete="username"
        most={10}
        required
        autoFocus
      />
      <Field
        {...bind('nickname')}
        label={t('member.nickname')}
        hint={t('member.nickname_hint')}
        autoComplete="nickname"
        most={30}
      />
      <Field
        {...bind('password')}
        type="password"
        label={t('member.password')}
        hint={t('member.password_hint')}
        autoComplete="new-password"
        most={15}
        required
      />
      <Field
        {...bind('password_confirmation')}
        type="password"
        label={t('member.password_again')}
        autoComplete="new-password"
        most={15}
        required
      />
      <button type="submit" className="button button-main m-wide" disabled={busy} aria-busy={busy}>
        {t('member.sign_up_now')}
      </button>
    </form>
  )
}

/** The field that the server's refusal belongs to. */
const placeOf = (error: unknown): { field?: keyof SignUp; words: string } => {
  const words = error instanceof Error ? error.message : String(error)
  // All invalid input has one error number; the server names the field, or says that the name is taken.
  const data = error instanceof CallError ? error.data : {}
  const field = 'username' in data ? 'username' : data.field
  return typeof field === 'string' && field in empty ? { field: field as keyof SignUp, words } : { words }
}
