import { MAX_CODE, MAX_NEW_PASSWORD, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { call, CallError } from '../api/call.ts'
import { isNewPassword } from '../api/first-password.ts'
import { type RecoveryWays, recoverWithPasskey } from '../api/passkey.ts'
import { useWords } from '../i18n/i18n.ts'
import { takeFocus } from '../ui/keyboard/focus.ts'
import { PasswordInput } from '../ui/form/password-input.tsx'

type Props = {
  face: 'office' | 'member'
  ways: RecoveryWays
  username: string
  /** The page's own classes: of a wide button, and of the link back. */
  look: { wide: string; back: string }
  /** The password is replaced; the user signs in with it. */
  onDone: (username: string) => void
  onLeave: () => void
}
type Typed = { username: string; code: string; chosen: string; again: string }
type Name = keyof Typed

/** SELF-02: replaces a forgotten password, on both light pages. */
export const RecoverForm = ({ face, ways, username, look, onDone, onLeave }: Props) => {
  const { t } = useWords()
  const first = ways.sms ? 'who' : 'passkey'
  const [step, setStep] = useState<'who' | 'code' | 'passkey'>(first)
  const [typed, setTyped] = useState<Typed>({ username, code: '', chosen: '', again: '' })
  const [errors, setErrors] = useState<Partial<Typed>>({})
  const [refused, setRefused] = useState('')
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const attempt = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setRefused('')
    try {
      await work()
    } catch (error) {
      setRefused(error instanceof CallError ? error.message : t('network.failed'))
    }
    setBusy(false)
  }
  const isFilled = (found: Partial<Typed>) => {
    setErrors(found)
    const [first] = Object.keys(found)
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    return first === undefined
  }
  const passwordErrors = () => ({
    ...(isNewPassword(typed.chosen) ? {} : { chosen: t('recover.password_rule') }),
    ...(typed.again === typed.chosen ? {} : { again: t('account.passwords_differ') }),
  })
  const chosen = { new_password: typed.chosen, new_password_confirmation: typed.again }
  const name = typed.username.trim()

  /** From the code back to the username, where another code can be sent. */
  const go = (next: typeof step) => {
    setErrors({})
    setRefused('')
    setTyped((before) => ({ ...before, code: '' }))
    setStep(next)
  }
  const send = async () => {
    await call('recovery/begin', { username: name, face })
    go('code')
  }
  const finish = async () => {
    await call('recovery/finish', { username: name, face, code: typed.code.replace(/\s/g, ''), ...chosen })
    onDone(name)
  }
  const sign = async () => {
    const found = await recoverWithPasskey(face, chosen)
    onDone(found.username)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (step === 'who') {
      if (isFilled(name ? {} : { username: t('recover.needed') })) void attempt(send)
      return
    }
    const code = step === 'code' && !typed.code.trim() ? { code: t('recover.needed') } : {}
    if (isFilled({ ...code, ...passwordErrors() })) void attempt(step === 'code' ? finish : sign)
  }
  const field = (
    key: Name,
    label: string,
    more: { type?: 'password'; autoComplete: string; max: number; first?: true },
  ) => {
    const ref = more.first ? takeFocus : null
    const input = {
      id: `recover-${key}`,
      name: key,
      autoComplete: more.autoComplete,
      maxLength: more.max,
      value: typed[key],
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        const { value } = currentTarget
        setTyped((before) => ({ ...before, [key]: value }))
        setErrors(({ [key]: _, ...rest }) => rest)
      },
      'aria-invalid': errors[key] !== undefined,
      'aria-describedby': `recover-${key}-more`,
    }
    return (
      <div className="field">
        <label htmlFor={`recover-${key}`}>{label}</label>
        {more.type === 'password' ? (
          <PasswordInput {...input} inputRef={ref} />
        ) : (
          <input
            {...input}
            ref={ref}
            className="input"
            autoCapitalize="none"
            spellCheck={false}
            inputMode={key === 'code' ? 'numeric' : undefined}
          />
        )}
        <p className={errors[key] ? 'field-error' : 'field-hint'} id={`recover-${key}-more`}>
          {errors[key] ?? (key === 'chosen' ? t('recover.password_rule') : '')}
        </p>
      </div>
    )
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <p className="form-lead" role="status">
        {step === 'who' ? t('recover.lead') : step === 'code' ? t('recover.sent', { name }) : t('recover.passkey_lead')}
      </p>
      {refused && (
        <div className="alert" role="alert">
          {refused}
        </div>
      )}
      {step === 'who' &&
        field('username', t('recover.username'), { autoComplete: 'username', max: MAX_TYPED_NAME, first: true })}
      {step === 'code' &&
        field('code', t('recover.code'), { autoComplete: 'one-time-code', max: MAX_CODE, first: true })}
      {step !== 'who' && (
        <>
          {field('chosen', t('account.new_password'), {
            type: 'password',
            autoComplete: 'new-password',
            max: MAX_NEW_PASSWORD,
            ...(step === 'passkey' ? { first: true } : {}),
          })}
          {field('again', t('account.password_again'), {
            type: 'password',
            autoComplete: 'new-password',
            max: MAX_NEW_PASSWORD,
          })}
        </>
      )}
      <button type="submit" className={`button button-main ${look.wide}`} aria-busy={busy} aria-disabled={busy}>
        {busy && <span className="spinner" aria-hidden="true" />}
        <span>{t(step === 'who' ? 'recover.send' : step === 'code' ? 'recover.save' : 'passkey.use')}</span>
      </button>
      {step === 'who' && ways.passkeys && (
        <button type="button" className={`button ${look.wide}`} onClick={() => go('passkey')}>
          {t('passkey.use')}
        </button>
      )}
      <button type="button" className={look.back} onClick={() => (step === first ? onLeave() : go(first))}>
        {t('action.back')}
      </button>
    </form>
  )
}
