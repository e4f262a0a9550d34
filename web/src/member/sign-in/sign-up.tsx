import { MAX_NEW_PASSWORD, MAX_NICKNAME, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { newUsername } from '@tallyroom/contract/text/typed-key'
import { type FormEvent, useState } from 'react'
import { CallError, newRequestId, NO_ANSWER } from '../../api/call.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { Card, useFocusFirstError } from '../card.tsx'
import { checkSignUp, type SignUp, type SignUpErrors } from './check.ts'
import { Field } from '../field.tsx'
import { type Loaded, useInvitation } from '../look.ts'
import { signUp } from '../session.ts'

/** The form is there while the invitation loads: one can type at once, and nothing moves when it comes. */
export const SignUpPage = ({ shareCode, onSignIn }: { shareCode: string; onSignIn: () => void }) => {
  const { t } = useWords()
  const { look, invitation, load } = useInvitation(shareCode)
  return (
    <Card
      title={t('member.sign_up')}
      look={look ?? (invitation.state === 'refused' ? undefined : 'loading')}
      lead={leadOf(invitation, t)}
    >
      {invitation.state === 'refused' && (
        <>
          <Alert text={invitation.message} />
          {invitation.canRetry && (
            <button type="button" className="button m-wide" onClick={() => void load()}>
              {t('action.try_again')}
            </button>
          )}
        </>
      )}
      {(invitation.state !== 'refused' || invitation.canRetry) && <SignUpForm shareCode={shareCode} />}
      <button type="button" className="c-link m-wide" onClick={onSignIn}>
        {t('member.to_sign_in')}
      </button>
    </Card>
  )
}

const leadOf = (invitation: Loaded, t: Translate) => {
  if (invitation.state === 'refused') return undefined
  if (invitation.state === 'loaded') return t('member.invited_by', { name: invitation.nickname })
  // Takes the place of the words that come.
  return (
    <span className="m-place" aria-hidden="true">
      {t('member.invited_by', { name: NAME })}
    </span>
  )
}

/** As wide as most names. */
const NAME = '\u00a0'.repeat(12)

const empty: SignUp = { username: '', nickname: '', password: '', password_confirmation: '' }

const SignUpForm = ({ shareCode }: { shareCode: string }) => {
  const { t } = useWords()
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useState<SignUpErrors>({})
  const [refused, setRefused] = useState('')
  const [busy, setBusy] = useState(false)
  const [requestId, setRequestId] = useState(newRequestId)
  const form = useFocusFirstError(errors)

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
      const { field, message } = fieldOf(error)
      if (field) setErrors({ [field]: message })
      else setRefused(message)
      if (!(error instanceof CallError) || error.code !== NO_ANSWER) setRequestId(newRequestId())
      setBusy(false)
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      {refused && <Alert text={refused} />}
      <Field
        {...bind('username')}
        onChange={(text) => bind('username').onChange(newUsername(text))}
        label={t('member.username')}
        hint={t('member.username_hint')}
        autoComplete="username"
        maxLength={MAX_TYPED_NAME}
        required
        autoFocus
      />
      <Field
        {...bind('nickname')}
        label={t('member.nickname')}
        hint={t('member.nickname_hint')}
        autoComplete="nickname"
        maxLength={MAX_NICKNAME}
      />
      <Field
        {...bind('password')}
        type="password"
        label={t('member.password')}
        hint={t('member.password_hint')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
      />
      <Field
        {...bind('password_confirmation')}
        type="password"
        label={t('member.password_again')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
      />
      <button type="submit" className="button button-main m-wide" disabled={busy} aria-busy={busy}>
        {t('member.sign_up_now')}
      </button>
    </form>
  )
}

/** The field that the server's refusal belongs to. */
const fieldOf = (error: unknown): { field?: keyof SignUp; message: string } => {
  const message = error instanceof Error ? error.message : String(error)
  // All invalid input has one error code; the server names the field, or says that the username is taken.
  const data = error instanceof CallError ? error.data : {}
  const field = 'username' in data ? 'username' : data.field
  return typeof field === 'string' && field in empty ? { field: field as keyof SignUp, message } : { message }
}
