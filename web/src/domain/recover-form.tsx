import { MAX_CODE, MAX_NEW_PASSWORD, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { type ChangeEvent, useState } from 'react'
import { call } from '../api/call.ts'
import { isNewPassword } from '../api/first-password.ts'
import { type RecoveryWays, recoverWithPasskey } from '../api/passkey.ts'
import { useWords } from '../i18n/i18n.ts'
import { takeFocus } from '../ui/keyboard/focus.ts'
import { PasswordInput } from '../ui/form/password-input.tsx'
import { useForm } from '../ui/form/use-form.ts'

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
  const needed = (text: string) => isBlank(text) && t('recover.needed')
  const form = useForm<Typed>(
    { username, code: '', chosen: '', again: '' },
    step === 'who'
      ? { username: needed }
      : {
          ...(step === 'code' ? { code: needed } : {}),
          chosen: (text) => !isNewPassword(text) && t('recover.password_rule'),
          again: (text, { chosen }) => text !== chosen && t('account.passwords_differ'),
        },
  )
  const { draft } = form
  const name = draft.username.trim()
  const chosen = { new_password: draft.chosen, new_password_confirmation: draft.again }

  /** From the code back to the username, where another code can be sent. */
  const go = (next: typeof step) => {
    form.reset({ ...draft, code: '' })
    setStep(next)
  }
  const steps = {
    who: form.submit(
      () => call('recovery/begin', { username: name, face }),
      () => go('code'),
    ),
    code: form.submit(
      () => call('recovery/finish', { username: name, face, code: draft.code.replace(/\s/g, ''), ...chosen }),
      () => onDone(name),
    ),
    passkey: form.submit(
      () => recoverWithPasskey(face, chosen),
      (found) => onDone(found.username),
    ),
  }
  const field = (
    key: Name,
    label: string,
    more: { type?: 'password'; autoComplete: string; max: number; first?: true },
  ) => {
    const { value, error, onChange } = form.field(key)
    const ref = more.first ? takeFocus : null
    const input = {
      id: `recover-${key}`,
      name: key,
      autoComplete: more.autoComplete,
      maxLength: more.max,
      value,
      onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value),
      'aria-invalid': error !== undefined,
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
        <p className={error ? 'field-error' : 'field-hint'} id={`recover-${key}-more`}>
          {error ?? (key === 'chosen' ? t('recover.password_rule') : '')}
        </p>
      </div>
    )
  }
  return (
    <form onSubmit={steps[step]} noValidate>
      <p className="form-lead" role="status">
        {step === 'who' ? t('recover.lead') : step === 'code' ? t('recover.sent', { name }) : t('recover.passkey_lead')}
      </p>
      {form.refused && (
        <div className="alert" role="alert">
          {form.refused}
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
      <button
        type="submit"
        className={`button button-main ${look.wide}`}
        aria-busy={form.isSending}
        aria-disabled={form.isSending}
      >
        {form.isSending && <span className="spinner" aria-hidden="true" />}
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
