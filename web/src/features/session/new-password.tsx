import { MAX_NEW_PASSWORD } from '@tallyroom/contract/lengths'
import { type FormEvent, useRef, useState } from 'react'
import { isNewPassword, signInChoosing } from '../../api/first-password.ts'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { storeProfile } from './profile.ts'
import type { Enter } from './enter.ts'
import { ErrorAlert } from './second-step.tsx'
import { afterRefusal, type SecondStepState } from './second-step-state.ts'

type Props = {
  own: { username: string; password: string }
  onEnter: Enter
  /** A second step is required; the chosen password is sent with it. */
  onSecondStep: (pending: SecondStepState) => void
  onLeave: () => void
}

/** W18: an account whose password was set by someone else must choose its own first. */
export const NewPassword = ({ own, onEnter, onSecondStep, onLeave }: Props) => {
  const { t } = useWords()
  const [typed, setTyped] = useState({ chosen: '', again: '' })
  const [errors, setErrors] = useState<{ chosen?: string; again?: string }>({})
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const enter = async () => {
    setBusy(true)
    setRefused(undefined)
    try {
      const profile = await signInChoosing({ ...own, face: 'office' }, typed.chosen)
      storeProfile(profile)
      return await onEnter(profile.start_page)
    } catch (error) {
      const next = afterRefusal(error, { ...own, chosen: typed.chosen })
      if (typeof next !== 'string') return onSecondStep(next)
      setRefused(next)
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = {
      ...(isNewPassword(typed.chosen) ? {} : { chosen: t('account.password_rule') }),
      ...(typed.again === typed.chosen ? {} : { again: t('account.passwords_differ') }),
    }
    setErrors(found)
    if (Object.keys(found).length === 0) return void enter()
    form.current?.querySelector<HTMLInputElement>(`[name=${found.chosen ? 'chosen' : 'again'}]`)?.focus()
  }
  const field = (name: 'chosen' | 'again', label: string) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <PasswordInput
        inputRef={name === 'chosen' ? takeFocus : null}
        id={name}
        name={name}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
        value={typed[name]}
        onChange={(event) => {
          setTyped((before) => ({ ...before, [name]: event.target.value }))
          setErrors(({ [name]: _, ...rest }) => rest)
        }}
        aria-invalid={errors[name] !== undefined}
        aria-describedby={`${name}-more`}
      />
      {errors[name] ? (
        // A key of its own: a paragraph that only becomes an alert is not read out.
        <p key="error" className="field-error" id={`${name}-more`} role="alert">
          {errors[name]}
        </p>
      ) : (
        <p className="field-hint" id={`${name}-more`}>
          {name === 'chosen' ? t('account.password_rule') : ''}
        </p>
      )}
    </div>
  )
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <p className="second-who">{own.username}</p>
      <p className="sign-in-notice" role="status">
        {t('session.needs_new_password')}
      </p>
      {refused && <ErrorAlert text={refused} />}
      {/* For password managers: stores the new password under the right username. */}
      <input hidden readOnly name="username" autoComplete="username" value={own.username} />
      {field('chosen', t('account.new_password'))}
      {field('again', t('account.password_again'))}
      <button type="submit" className="button button-main sign-in-button" aria-busy={busy} aria-disabled={busy}>
        {busy && <span className="spinner" aria-hidden="true" />}
        <span>{t('session.save_password')}</span>
      </button>
      <div className="second-ways">
        <button type="button" className="second-way" onClick={onLeave}>
          {t('action.back')}
        </button>
      </div>
    </form>
  )
}
