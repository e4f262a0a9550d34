import { MAX_CODE, MAX_MOBILE } from '@tallyroom/contract/lengths'
import { type FormEvent, useState } from 'react'
import { call, refusedBy } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { Field } from '../field.tsx'
import { useOwn } from './use-own.tsx'

type Step = 'view' | 'number' | 'code' | 'remove'
type Typed = { mobile: string; password: string; code: string }

/** SELF-02: the number to which a code is sent when the member has forgotten its password. */
export const OwnRecovery = () => {
  const { t } = useWords()
  const { own, load, state } = useOwn('recovery/view')
  const [step, setStep] = useState<Step>('view')
  const [typed, setTyped] = useState<Typed>({ mobile: '', password: '', code: '' })
  const [needsPassword, setNeedsPassword] = useState(false)
  const [errors, setErrors] = useState<Partial<Typed>>({})
  const [refused, setRefused] = useState('')
  const [done, setDone] = useState('')
  const [busy, setBusy] = useState(false)

  const go = (next: Step) => {
    setDone('')
    setErrors({})
    setRefused('')
    setStep(next)
  }
  const finish = async (text: string) => {
    go('view')
    setTyped({ mobile: '', password: '', code: '' })
    setNeedsPassword(false)
    setDone(text)
    await load()
  }
  const send = async () => {
    const mobile = typed.mobile.replace(/[\s().-]/g, '')
    if (!/^\+?\d{6,15}$/.test(mobile)) return setErrors({ mobile: t('security.phone_wrong') })
    await call('recovery/sendCode', { mobile, password: typed.password })
    go('code')
  }
  const confirm = async () => {
    if (!typed.code.trim()) return setErrors({ code: t('recover.needed') })
    await call('recovery/setPhone', { code: typed.code.replace(/\s/g, '') })
    await finish(t('member.saved'))
  }
  const remove = async () => {
    await call('recovery/removePhone', { password: typed.password })
    await finish(t('member.saved'))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setRefused('')
    try {
      await (step === 'number' ? send() : step === 'code' ? confirm() : remove())
    } catch (error) {
      if (refusedBy('recovery/removePhone', error, 'session.needs_password')) setNeedsPassword(true)
      else if (refusedBy('recovery/removePhone', error, 'session.wrong_password'))
        setErrors({ password: error.message })
      else if (refusedBy('recovery/setPhone', error, 'code.wrong')) setErrors({ code: error.message })
      else setRefused(errorText(error))
    }
    setBusy(false)
  }
  const bind = (name: keyof Typed) => ({
    name,
    value: typed[name],
    error: errors[name],
    required: true,
    onChange: (value: string) => {
      setTyped((before) => ({ ...before, [name]: value }))
      setErrors({})
    },
  })
  if (step === 'view')
    return (
      <>
        {own?.offered && <p className="form-lead">{t('recover.own_what')}</p>}
        <p className="m-done" role="status">
          {done}
        </p>
        {state}
        {own && !own.offered && <p>{t('recovery.no_sms')}</p>}
        {own?.mobile && (
          <p className="m-number">
            <bdi className="points">{own.mobile}</bdi>
          </p>
        )}
        {own?.offered && (
          <button type="button" className="button button-main m-wide" onClick={() => go('number')}>
            {t(own.mobile ? 'recover.own_change' : 'recover.own_set')}
          </button>
        )}
        {own?.mobile && (
          <button type="button" className="button button-danger m-wide" onClick={() => go('remove')}>
            {t('recover.own_remove')}
          </button>
        )}
      </>
    )
  return (
    <form className="m-own-form" onSubmit={(event) => void submit(event)} noValidate>
      {refused && <Alert text={refused} />}
      {step === 'number' && (
        <Field
          {...bind('mobile')}
          label={t('recover.number')}
          hint={t('security.phone_hint')}
          autoComplete="tel"
          maxLength={MAX_MOBILE}
          autoFocus
        />
      )}
      {step === 'code' && (
        <p className="form-lead" role="status">
          {t('second.sent', { mobile: typed.mobile })}
        </p>
      )}
      {step === 'code' && (
        <Field
          {...bind('code')}
          label={t('recover.code')}
          autoComplete="one-time-code"
          maxLength={MAX_CODE}
          autoFocus
        />
      )}
      {step === 'remove' && <p className="form-lead">{t('recover.own_remove_what')}</p>}
      {needsPassword && step !== 'code' && (
        <Field
          {...bind('password')}
          label={t('member.password')}
          type="password"
          hint={t('session.password_hint')}
          autoComplete="current-password"
          autoFocus
        />
      )}
      <button
        type="submit"
        className={`button m-wide ${step === 'remove' ? 'button-danger' : 'button-main'}`}
        disabled={busy}
        aria-busy={busy}
      >
        {t(step === 'number' ? 'recover.send' : step === 'code' ? 'action.save' : 'recover.own_remove')}
      </button>
      <button type="button" className="c-link m-wide" onClick={() => go('view')}>
        {t('action.cancel')}
      </button>
    </form>
  )
}
