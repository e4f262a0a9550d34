import { MAX_CODE, MAX_MOBILE } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { type Rules, useForm } from '../../ui/form/use-form.ts'
import { Field } from '../field.tsx'
import { MemberForm } from '../form.tsx'
import { useOwn } from './use-own.tsx'

type Step = 'view' | 'number' | 'code' | 'remove'

/** SELF-02: the number to which a code is sent when the member has forgotten its password. */
export const OwnRecovery = () => {
  const { t } = useWords()
  const { own, load, state } = useOwn('recovery/view')
  const [step, setStep] = useState<Step>('view')
  const [done, setDone] = useState('')
  const form = useForm({ mobile: '', current_password: '', code: '' }, step === 'view' ? {} : rulesOf(t)[step])
  const { mobile, code, current_password: password } = form.draft

  const go = (next: Step) => {
    setDone('')
    form.reset()
    setStep(next)
  }
  const finish = async () => {
    go('view')
    setDone(t('member.saved'))
    await load()
  }
  const steps = {
    number: form.submit(
      () => call('recovery/sendCode', { mobile: numberOf(mobile), password }),
      () => setStep('code'),
    ),
    code: form.submit(
      () => call('recovery/setPhone', { code: code.replace(/\s/g, '') }),
      () => void finish(),
    ),
    remove: form.submit(
      () => call('recovery/removePhone', { password }),
      () => void finish(),
    ),
  }
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
    <MemberForm
      inSheet
      form={form}
      act={t(step === 'number' ? 'recover.send' : step === 'code' ? 'action.save' : 'recover.own_remove')}
      danger={step === 'remove'}
      onSubmit={steps[step]}
      leave={{ word: t('action.cancel'), run: () => go('view') }}
    >
      {step === 'number' && (
        <Field
          label={t('recover.number')}
          name="mobile"
          hint={t('security.phone_hint')}
          autoComplete="tel"
          maxLength={MAX_MOBILE}
          required
          autoFocus
          {...form.field('mobile')}
        />
      )}
      {step === 'code' && (
        <>
          <p className="form-lead" role="status">
            {t('second.sent', { mobile })}
          </p>
          <Field
            label={t('recover.code')}
            name="code"
            autoComplete="one-time-code"
            maxLength={MAX_CODE}
            required
            autoFocus
            {...form.field('code')}
          />
        </>
      )}
      {step === 'remove' && <p className="form-lead">{t('recover.own_remove_what')}</p>}
      {form.needsPassword && step !== 'code' && (
        <Field
          label={t('member.password')}
          name="password"
          type="password"
          hint={t('session.password_hint')}
          autoComplete="current-password"
          required
          autoFocus
          {...form.field('current_password')}
        />
      )}
    </MemberForm>
  )
}

const numberOf = (typed: string) => typed.replace(/[\s().-]/g, '')

const rulesOf = (t: Translate): Record<'number' | 'code' | 'remove', Rules<{ mobile: string; code: string }>> => ({
  number: { mobile: (text) => !/^\+?\d{6,15}$/.test(numberOf(text)) && t('security.phone_wrong') },
  code: { code: (text) => isBlank(text) && t('recover.needed') },
  remove: {},
})
